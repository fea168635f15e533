import { expect, test } from 'vitest';
import { lowerWideSignatures } from './signatures.ts';

const lower = (...lines: string[]) =>
  lowerWideSignatures(lines.join('\n'), new Set(['entrypoint'])).split('\n');

test('lowerWideSignatures passes surplus arguments through memory of the caller', () => {
  const ir = lower(
    'define internal fastcc i64 @f(ptr %a, i64 %b, i64 %c, i64 %d, i32 noundef %e, i64 %f) unnamed_addr #0 {',
    'start:',
    '  ret i64 %f',
    '}',
    'define i64 @entrypoint(ptr %x) {',
    '  %r = tail call fastcc i64 @f(ptr %x, i64 1, i64 2, i64 3, i32 noundef 4, i64 5) #1',
    '  ret i64 %r',
    '}',
  );
  expect(ir).toEqual([
    'define internal fastcc i64 @f(ptr %a, i64 %b, i64 %c, i64 %d, ptr %sbf.arguments) unnamed_addr nounwind {',
    'start:',
    '  %sbf.in.0 = getelementptr i8, ptr %sbf.arguments, i64 0',
    '  %e = load i32, ptr %sbf.in.0, align 8',
    '  %sbf.in.8 = getelementptr i8, ptr %sbf.arguments, i64 8',
    '  %f = load i64, ptr %sbf.in.8, align 8',
    '  ret i64 %f',
    '}',
    'define i64 @entrypoint(ptr %x) {',
    '  %sbf.outgoing = alloca [2 x i64], align 8',
    '  %sbf.slot.0 = getelementptr i8, ptr %sbf.outgoing, i64 0',
    '  store i32 4, ptr %sbf.slot.0, align 8',
    '  %sbf.slot.1 = getelementptr i8, ptr %sbf.outgoing, i64 8',
    '  store i64 5, ptr %sbf.slot.1, align 8',
    '  %r = call fastcc i64 @f(ptr %x, i64 1, i64 2, i64 3, ptr %sbf.outgoing)',
    '  ret i64 %r',
    '}',
  ]);
});

test('lowerWideSignatures returns a wide result through memory of the caller', () => {
  const ir = lower(
    'define internal { i64, i64 } @pair(i64 %a) {',
    '  ret { i64, i64 } poison',
    '}',
    'define i64 @entrypoint(ptr %x) {',
    '  %r = call { i64, i64 } @pair(i64 1)',
    '  ret i64 0',
    '}',
  );
  expect(ir).toEqual([
    'define internal void @pair(ptr %sbf.result, i64 %a) unnamed_addr nounwind {',
    '  store { i64, i64 } poison, ptr %sbf.result, align 8',
    '  ret void',
    '}',
    'define i64 @entrypoint(ptr %x) {',
    '  %sbf.result.0 = alloca { i64, i64 }, align 8',
    '  call void @pair(ptr %sbf.result.0, i64 1)',
    '  %r = load { i64, i64 }, ptr %sbf.result.0, align 8',
    '  ret i64 0',
    '}',
  ]);
});

test('lowerWideSignatures leaves fitting signatures, declarations and exported functions alone', () => {
  const ir = [
    'declare void @sol_log_(ptr, i64)',
    'define internal void @f(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e) {',
    '  ret void',
    '}',
    'define i64 @entrypoint(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) {',
    '  call void @f(i64 1, i64 2, i64 3, i64 4, i64 5)',
    '  ret i64 0',
    '}',
  ];
  expect(lower(...ir)).toEqual(ir);
});

test('lowerWideSignatures leaves functions alone whose address is taken, because their callers are unknown', () => {
  const ir = [
    '@table = constant ptr @f',
    'define internal i64 @f(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) {',
    '  ret i64 %f',
    '}',
  ];
  expect(lower(...ir)).toEqual(ir);
});

test('lowerWideSignatures drops the sret attribute', () => {
  expect(lower('declare void @f(ptr sret([24 x i8]) align 8 %r)')).toEqual([
    'declare void @f(ptr align 8 %r)',
  ]);
});
