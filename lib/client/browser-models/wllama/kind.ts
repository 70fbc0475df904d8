import { makeError } from '@/lib/i18n/t'
import { type BrowserModelKind, infoOfConfig } from '../browser-model'
import { choiceKey, readChoice } from './choice'
import { ownFailure, wllamaLanguageModel } from './language-model'
import { wllamaPage, type WllamaPage } from './page.browser'

/**
 * Models that this browser runs itself. Weights are loaded at the first reply, and released when another model's are
 * loaded.
 */
export const wllamaKindOn = (page: () => Pick<WllamaPage, 'runner' | 'file' | 'threads'>): BrowserModelKind => ({
  id: 'wllama',
  open(config) {
    const choice = readChoice(config.options)
    if (choice === null) {
      return Promise.reject(ownFailure(makeError('bad-request', 'wllama.gone', { name: config.label })))
    }
    const { source, windowTokens } = choice
    const { runner, file, threads } = page()
    const key = `${choiceKey(source)} ${windowTokens} ${threads}`
    const given = { key, windowTokens, threads, file: () => file(source) }
    const model = wllamaLanguageModel(runner, given, config.id)
    return Promise.resolve({
      info: infoOfConfig(config),
      languageModel: (fields) => (fields ? wllamaLanguageModel(runner, given, config.id, fields) : model),
      hasten: runner.hasten,
      dispose: () => runner.unload(key, makeError('not-found', 'wllama.removed', { name: config.label })),
    })
  },
})

export const wllamaKind = wllamaKindOn(wllamaPage)
