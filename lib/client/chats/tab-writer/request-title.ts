import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import type { BrowserModel } from '@/lib/client/browser-models/browser-model'
import { type TrialRequest, maxTitleReplyLength, titleIn } from '@/lib/shared/conversation/wire/trial'
import { renderStoredText } from '@/lib/i18n/stored-text'
import { requestReply } from './request-reply'

/** The result of asking for a title: a title, or `failed` with the model's reason, if it gave one. */
export type TitleResult =
  | { readonly is: 'title'; readonly title: string }
  | { readonly is: 'none' }
  | { readonly is: 'failed'; readonly why: string }
  | { readonly is: 'stopped' }

/** Asks a browser model for a chat's title. Does not wait for text beyond the title. Never rejects. */
export async function requestTitle(
  model: BrowserModel,
  { systemPrompt, turns }: Pick<TrialRequest, 'systemPrompt' | 'turns'>,
  signal: AbortSignal,
): Promise<TitleResult> {
  const prompt: LanguageModelV4Prompt = [
    { role: 'system', content: systemPrompt },
    ...turns.flatMap((turn) =>
      turn.role === 'user' ? [{ role: 'user' as const, content: [{ type: 'text' as const, text: turn.text }] }] : [],
    ),
  ]
  const enough = new AbortController()
  let text = ''
  const write = (channel: 'text' | 'reasoning', words: string) => {
    if (channel === 'text') text += words
    if (text.length > maxTitleReplyLength) enough.abort()
  }
  const both = AbortSignal.any([signal, enough.signal])
  const { failure } = await requestReply(model, { prompt, nativeTools: [] }, { runId: '', write, signal: both })
  if (signal.aborted) return { is: 'stopped' }
  if (failure) return { is: 'failed', why: renderStoredText(failure) }
  const title = titleIn(text)
  return title === null ? { is: 'none' } : { is: 'title', title }
}
