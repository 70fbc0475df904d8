import { loadPart } from '@/lib/i18n/load-part'
import type { BrowserModelKind, BrowserModelKindId } from './browser-model'

/** Each kind in a part of its own, loaded when a model of it is opened or added. */
const kinds: Partial<Record<BrowserModelKindId, () => Promise<BrowserModelKind>>> = {
  'openai-compatible': async () => (await ownServers()).openAICompatibleKind,
  ollama: async () => (await ownServers()).ollamaKind,
  'lm-studio': async () => (await ownServers()).lmStudioKind,
  chrome: async () => (await loadPart(() => import('./chrome/kind'))).chromeKind(globalThis),
  wllama: async () => (await loadPart(() => import('./wllama/kind'))).wllamaKind,
  paste: async () => (await loadPart(() => import('./paste/kind'))).pasteKind,
}

const ownServers = () => loadPart(() => import('./own-server/kinds'))

/** null: this version has no such kind. */
export const loadKind = (id: BrowserModelKindId): Promise<BrowserModelKind | null> =>
  kinds[id]?.() ?? Promise.resolve(null)
