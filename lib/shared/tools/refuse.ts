import { makeTold, type Told } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import type { ToolOutcome } from './tool'

type Failed = Extract<ToolOutcome, { readonly ok: false }>

/** A failure that the model can do something about: the sentences, and what may help beside them. */
export function refuse(reason: string, told: Told | readonly Told[], help: JsonObject = {}): Failed {
  const said = Array.isArray(told) ? (told as readonly Told[]) : [told as Told]
  const message = said.map((one) => one.message).join(' ')
  return { ok: false, reason, message, said, result: { error: message, ...help } }
}

/** What foreign code said when it failed, as it said it. */
export const foreignFailure = (reason: string, message: string, help: JsonObject = {}): Failed => ({
  ok: false,
  reason,
  message,
  said: null,
  result: { error: message, ...help },
})

/** The user stopped the call before it did anything. */
export const stoppedBeforeItBegan = (): Failed => refuse('stopped', makeTold('told.stopped-unchanged'))
