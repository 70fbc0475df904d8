import { monotonicClock } from '@/lib/base/clocks'
import { indexedDbOrNull, localStorageOrNull, openChannel, sessionStorageOrNull } from '@/lib/base/features.browser'
import { builtFile } from '@/lib/base/base-path'
import {
  type BrowserModel,
  type BrowserModelConfig,
  infoOfConfig,
  kindNames,
} from '@/lib/client/browser-models/browser-model'
import { openModelList, type BrowserModelList, loadKind } from '@/lib/client/browser-models/model-list'
import { createOwnServers } from '@/lib/client/browser-models/own-server/own-servers'
import { createPasteQueue, createPastedDrafts, createPastedChats } from '@/lib/client/browser-models/paste/paste-queue'
import type { ModelsWorkerPort } from '@/lib/client/browser-models/own-server/worker-messages'
import { type OutboxStorage, storageSpace } from '@/lib/client/outbox/outbox'
import { createTabApi } from '@/lib/client/chats/tab-writer/reply-pieces'
import { createTabWriters, type TabWriters, createTicks } from '@/lib/client/chats/tab-writer/tab-writers'
import { personDatabases } from '@/lib/client/browser/person-databases'
import { conversationsChannel, type TabMessage } from '@/lib/client/browser/tab-news'
import { ownModelsKey, type LocalModels } from '@/lib/client/api/nod-api'
import { t } from '@/lib/i18n/t'
import { connectedTools } from '@/lib/client/wiring/tools/chat-tools.browser'
import { fetchNoting, pageWho } from '@/lib/client/wiring/nod-api.browser'

/*
 * The models of this browser: their list, the connections to their servers, and the replies that this tab writes with
 * them.
 */

export const ownServers = createOwnServers(
  (): ModelsWorkerPort => new Worker(builtFile('/workers/models.js'), { type: 'module' }),
)

/** Prompts that the user must carry to another chat, and what this tab sent to such chats. */
export const pasteQueue = createPasteQueue((runId) => reportActivity(runId, t('paste.doing')))
export const pastedChats = createPastedChats(sessionKept())
export const pastedDrafts = createPastedDrafts(sessionKept())

/** Each account has its own models, as it has its own chats. */
const listName = personDatabases(pageWho).models

let list: BrowserModelList | null = null
export const browserModelList = (): BrowserModelList => (list ??= openModelList(listName, indexedDbOrNull()))

const opened = new Map<string, { readonly made: string; readonly model: Promise<BrowserModel> }>()

/** A model stays open as long as its settings do not change; one that did not open is tried again. */
export function openBrowserModel(config: BrowserModelConfig): Promise<BrowserModel> {
  const made = JSON.stringify(config)
  const kept = opened.get(config.id)
  if (kept?.made === made) return kept.model
  forgetBrowserModel(config.id)
  const model = (async () => {
    const kind = await loadKind(config.kind)
    if (!kind) throw new Error(`this version knows no models of the kind ${config.kind}`)
    return kind.open(config, { servers: ownServers, pasteQueue })
  })()
  opened.set(config.id, { made, model })
  model.catch(() => opened.delete(config.id))
  return model
}

/** Releases the resources of an opened model. */
export function forgetBrowserModel(id: string): void {
  const kept = opened.get(id)
  opened.delete(id)
  void kept?.model.then((model) => model.dispose()).catch(() => undefined)
}

/** A lock keeps browsers from freezing a hidden tab. */
function stayAwake(): () => void {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (!locks) return () => {}
  const { promise, resolve } = Promise.withResolvers<void>()
  void locks.request(`nod:writes:${crypto.randomUUID()}`, () => promise)
  return resolve
}

let here: (LocalModels & Pick<TabWriters, 'settled'>) | null = null
let reportActivity: (runId: string, doing: string) => void = () => {}

/** Resolves once this tab does not write the reply (any more); false: the server lacks some of it. */
export const localModelsReady = (runId: string): Promise<boolean> => here?.settled(runId) ?? Promise.resolve(true)

/** One per page: its key identifies the tab that began a reply. */
export function localModels(onDoing: (runId: string, doing: string) => void): LocalModels {
  if (here) return here
  reportActivity = onDoing
  const key = crypto.randomUUID()
  const ticks = createTicks(() => new Worker(builtFile('/workers/ticks.js'), { type: 'module' }))
  const writers = createTabWriters({
    api: createTabApi(fetchNoting, key, () =>
      connectedTools.all().map(({ conversationId, name }) => `${conversationId}:${name}`),
    ),
    key,
    configOf: (id) => browserModelList().get(id),
    labelOf: ({ kind }) => kindNames[kind],
    open: openBrowserModel,
    wait: ticks.wait,
    monotonic: monotonicClock,
    stayAwake,
    onProgress(runId, { doing, done, total }) {
      const percent = Math.floor((100 * done) / total)
      onDoing(runId, t(`doing.${doing}`, { percent }))
    },
  })
  here = {
    ...writers,
    list: async () =>
      (await ownModels()).map((config) => {
        const exact = writers.exactOf(config.id)
        return { ...infoOfConfig(config), ...(exact && { exact }) }
      }),
  }
  return here
}

/** Empty if this browser has no storage. */
export const ownModels = (): Promise<readonly BrowserModelConfig[]> =>
  browserModelList()
    .all()
    .catch(() => [])

/** Stores a model and its key in this browser. Rejects if there is no storage. */
export async function storeModel(config: BrowserModelConfig): Promise<void> {
  await browserModelList().put(config)
  space()?.setItem(ownModelsKey, '1')
  notifyTabs()
}

/** Removes a model and its key. */
export async function removeModel(id: string): Promise<void> {
  await browserModelList().remove(id)
  forgetBrowserModel(id)
  if ((await ownModels()).length === 0) space()?.removeItem(ownModelsKey)
  notifyTabs()
}

/** Other tabs update their lists too: their chats may use the model. */
function notifyTabs(): void {
  const channel = openChannel(conversationsChannel)
  const news: TabMessage = { conversationId: null, ownModels: true }
  channel.postMessage(news)
  channel.close()
}

/** Releases all of them, before their data is deleted. */
export function releaseModels(): void {
  for (const id of opened.keys()) forgetBrowserModel(id)
  list?.close()
  list = null
}

const space = (): OutboxStorage | null => {
  const storage = localStorageOrNull()
  return storage && storageSpace(storage, pageWho)
}

/** The session storage of this page's user; null: this browser has no storage. */
function sessionKept(): OutboxStorage | null {
  const storage = sessionStorageOrNull()
  return storage && storageSpace(storage, pageWho)
}
