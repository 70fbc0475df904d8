import type { AppError } from '@/lib/base/app-error'
import { makeError } from '@/lib/i18n/t'
import type { LoadedModel } from '../protocol'

/**
 * Why a reply ended, of what the library throws. A reply that is no UTF-8 breaks llama.cpp's own JSON; the library then takes the
 * error's first letters for the length of a list (“Invalid typed array length”), or finds no message at all. The model stays usable.
 */
export function whatWentWrong(
  error: unknown,
  { windowTokens }: Pick<LoadedModel, 'windowTokens'>,
  errors: readonly string[],
): { readonly failure: AppError; readonly isDead: boolean } {
  const said = (error instanceof Error ? error.message : String(error)).slice(0, 300)
  const all = [said, ...errors].join('\n')
  const options = { cause: error }
  if (/typed array length|type_error\.316|UTF-8|Offset is outside|bounds of the DataView/i.test(all)) {
    return { failure: makeError('unavailable', 'wllama.no-text', {}, options), isDead: false }
  }
  if (/context (?:size|length|window)|exceeds? .*context|n_ctx/i.test(all)) {
    return { failure: makeError('too-large', 'wllama.too-long', { window: windowTokens }, options), isDead: false }
  }
  if (/grammar/i.test(all)) {
    return { failure: makeError('bad-request', 'wllama.grammar', { details: said }, options), isDead: false }
  }
  const isDead = /ABORT|crashed|RuntimeError|unreachable|out of bounds|not yet called|memory/i.test(
    `${error instanceof Error ? error.name : ''} ${said}`,
  )
  return isDead
    ? { failure: makeError('unavailable', 'wllama.crashed', { details: said }, options), isDead }
    : { failure: makeError('unavailable', 'wllama.failed', { details: said }, options), isDead }
}
