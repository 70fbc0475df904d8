import { t } from '@/lib/i18n/t'
import type { NextRequest } from './count-tokens'

/** The line under the field: how much the next request is. */
export function nextRequestWords(
  { tokens, leftOut }: Pick<NextRequest, 'tokens' | 'leftOut'>,
  windowTokens: number | null,
): string {
  const about = Math.round(tokens / 10) * 10
  return windowTokens === null
    ? t('context.line', { tokens: about })
    : t('context.line-of', { tokens: about, windowTokens, messages: leftOut })
}
