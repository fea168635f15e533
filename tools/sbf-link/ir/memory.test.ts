import { expect, test } from 'vitest';
import { callMemoryFunctions } from './memory.ts';

test('callMemoryFunctions leaves short copies to the back end', () => {
  const ir = '  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr %b, i64 256, i1 false)';
  expect(callMemoryFunctions(ir)).toBe(ir);
});

test('callMemoryFunctions turns copies that are long or of unknown length into calls', () => {
  const ir = [
    '  tail call void @llvm.memcpy.p0.p0.i64(ptr align 8 %a, ptr %b, i64 257, i1 false), !noalias !3',
    '  call void @llvm.memmove.p0.p0.i64(ptr %a, ptr %b, i64 noundef %n, i1 false)',
    '  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 %n, i1 false)',
  ].join('\n');
  expect(callMemoryFunctions(ir).split('\n')).toEqual([
    '  tail call void @sbf_memcpy(ptr align 8 %a, ptr %b, i64 257), !noalias !3',
    '  call void @sbf_memmove(ptr %a, ptr %b, i64 %n)',
    '  call void @sbf_memset(ptr %a, i8 0, i64 %n)',
    'declare void @sbf_memcpy(ptr, ptr, i64)',
    'declare void @sbf_memmove(ptr, ptr, i64)',
    'declare void @sbf_memset(ptr, i8, i64)',
  ]);
});
