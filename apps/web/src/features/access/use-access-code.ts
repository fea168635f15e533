import { describeFailure, ERRORS } from '@engulf/domain/errors/registry';
import { validateAccessCode } from '@engulf/domain/ids/access-code';
import { submitReferral } from '@engulf/protocol/user';
import { type FormEvent, useState } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';

/** The form for an access code, in the popup and in the panel. */
export function useAccessCode(onGranted: () => void) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [isChecking, setChecking] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const checked = validateAccessCode(code);
    if (!checked.ok) {
      setError(describeFailure(checked.error).text);
      return;
    }
    setChecking(true);
    const answer = await callApi(submitReferral, { body: { code: checked.value } });
    setChecking(false);
    if (!answer.ok) {
      setError(answer.error.message || ERRORS.ACCESS_CODE_INVALID.text);
      return;
    }
    showToast('profit', { title: TEXT.accessCode.granted });
    onGranted();
  };
  const change = (text: string) => {
    setError(undefined);
    setCode(text);
  };
  return { code, change, error, isChecking, submit: (event: FormEvent) => void submit(event) };
}
