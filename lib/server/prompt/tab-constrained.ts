import type { AssistantMessage, ExactOfReply, Message } from '@/lib/shared/conversation/conversation'
import type { TabConstrainedDecoding, TabModel, TabPrompt } from '@/lib/shared/conversation/wire/tab-run'
import { browserExactOf } from '@/lib/shared/models/exact/exact-browser'
import { exactForms } from '@/lib/shared/models/exact/exact-forms'
import type { ExactOfModel, ModelId } from '@/lib/shared/models/model'
import { constraintOf, exactOf, type ExactPort } from '@/lib/shared/prompt/exact-reply'
import type { Question } from './prepare-question'
import type { ReplyReadings } from '@/lib/shared/prompt/reply-readings'

/** What is known here of a tab's model: what its kind takes, and what the tab says that it found. */
export function exactOfTab(model: ModelId, takes: TabModel['takes']): Pick<ExactOfModel, 'takes' | 'byDefault'> | null {
  const offer = browserExactOf(model)
  if (!offer) return null
  const { byDefault } = offer
  const kinds = new Set(offer.forms.map((form) => exactForms[form].takes))
  const [only] = kinds
  return { takes: takes ?? (kinds.size === 1 && only ? only : 'unknown'), byDefault }
}

/** What a tab's model is to be held to; null: it is asked as ever. Only what may be of use goes to the tab. */
export function tabAskOf(
  exact: ExactPort | undefined,
  reply: AssistantMessage,
  asked: Pick<Question, 'settings' | 'tools'>,
): TabPrompt['exact'] | null {
  const offer = browserExactOf(reply.model)
  if (!offer || !(asked.settings.exact ?? offer.byDefault)) return null
  const ask = constraintOf(exact, asked, reply)
  if (!ask || !offer.forms.some((form) => exactForms[form].fields(ask) !== null)) return null
  const { gbnf, jsonSchema, schemaLater } = ask
  return { ...(gbnf !== null && { gbnf }), ...(jsonSchema && { jsonSchema }), ...(schemaLater && { schemaLater }) }
}

/**
 * What holds of a reply that a tab wrote and asked so. What this process knows of models is of its own servers: the tab keeps
 * what it learns of its.
 */
export function tabExactOf(
  exact: ExactPort | undefined,
  { form, asked, finding }: TabConstrainedDecoding,
  reply: AssistantMessage,
  about: Pick<Question, 'settings' | 'tools'> & {
    readonly readings: ReplyReadings
    readonly before: readonly Message[]
  },
): ExactOfReply | null {
  const looseTools = constraintOf(exact, about, reply)?.looseTools ?? []
  const fields = asked === 'without' ? null : {}
  return exactOf(undefined, { form, finding, looseTools, fields, isRefused: asked === 'refused' }, reply, about)
}
