; The C library functions that LLVM's BPF back end expects, on top of Solana's memory syscalls.
target datalayout = "e-m:e-p:64:64-i64:64-i128:128-n32:64-S128"
target triple = "bpfel"

declare void @sol_memcpy_(ptr, ptr, i64)
declare void @sol_memmove_(ptr, ptr, i64)
declare void @sol_memset_(ptr, i8 zeroext, i64)
declare void @sol_memcmp_(ptr, ptr, i64, ptr)

define void @sbf_memcpy(ptr %to, ptr %from, i64 %bytes) alwaysinline {
  call void @sol_memcpy_(ptr %to, ptr %from, i64 %bytes)
  ret void
}

define void @sbf_memmove(ptr %to, ptr %from, i64 %bytes) alwaysinline {
  call void @sol_memmove_(ptr %to, ptr %from, i64 %bytes)
  ret void
}

define void @sbf_memset(ptr %to, i8 %value, i64 %bytes) alwaysinline {
  call void @sol_memset_(ptr %to, i8 zeroext %value, i64 %bytes)
  ret void
}

define i32 @memcmp(ptr %a, ptr %b, i64 %bytes) noinline {
  %result = alloca i32
  store i32 0, ptr %result
  call void @sol_memcmp_(ptr %a, ptr %b, i64 %bytes, ptr %result)
  %order = load i32, ptr %result
  ret i32 %order
}

define i32 @bcmp(ptr %a, ptr %b, i64 %bytes) alwaysinline {
  %order = call i32 @memcmp(ptr %a, ptr %b, i64 %bytes)
  ret i32 %order
}
