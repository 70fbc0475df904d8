import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { t } from '@/lib/i18n/t'
import { type BrowserModelKind, infoOfConfig } from '../browser-model'
import type { PasteQueue } from './paste-queue'

/** Any chat elsewhere: the user takes the prompt there and brings the reply back. */
export const pasteKind: BrowserModelKind = {
  id: 'paste',
  open: (config, { pasteQueue }) =>
    Promise.resolve({ info: infoOfConfig(config), languageModel: () => modelOf(pasteQueue), dispose() {} }),
}

const modelOf = (queue: PasteQueue): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'paste',
  modelId: 'paste',
  // Files that a text can't contain are counted, and the user attaches them.
  supportedUrls: { '*/*': [/.*/] },
  doGenerate: () => Promise.reject(new Error('replies are streamed')),
  doStream({ prompt, tools = [], providerOptions, abortSignal }) {
    if (tools.length > 0) return Promise.reject(new Error(t('paste.native')))
    const runId = providerOptions?.nod?.runId
    const words = queue.ask({ runId: typeof runId === 'string' ? runId : '', prompt }, abortSignal)
    return Promise.resolve({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        async start(out) {
          try {
            out.enqueue({ type: 'text-delta', id: '0', delta: await words })
            out.enqueue({ type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage: unknown })
            out.close()
          } catch (error) {
            out.error(error)
          }
        },
      }),
    })
  },
})

const unknown: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}
