/** Whether a refusal is about the key, as servers put it. */
export const mentionsKey = (text: string): boolean =>
  /\bkey\b|api[_-]?key|credential|authenticat|unauthori[sz]ed|permission_error|\b(?:invalid|expired|missing|bad|access|bearer|auth)\w* token\b/i.test(
    text,
  )
