import { monotonicClock, wallClock } from '@/lib/base/clocks'
import { indexedDbOrNull } from '@/lib/base/features.browser'
import { type BrowserModel, kindNames } from '@/lib/client/browser-models/browser-model'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import type { ExactPort } from '@/lib/shared/prompt/exact-reply'
import { createBrowserTrials, trialsOf, createServerTrials } from '@/lib/client/lab/trials'
import { createLabJournal } from '@/lib/client/lab/lab-journal'
import { browserExactOf } from '@/lib/shared/models/exact/exact-knowledge'
import { personDatabases } from '@/lib/client/browser/person-databases'
import { createConstrainedDecoding } from '@/lib/shared/models/exact/constrained-decoding'
import type { ModelInfo } from '@/lib/shared/models/model'
import { labStorage } from './lab-storage.browser'
import { fetchNoting, nodApi, pageWho } from '@/lib/client/wiring/nod-api.browser'
import { browserModelList, openBrowserModel } from './tab-models.browser'

const exactReply = () => loadPart(() => import('@/lib/shared/prompt/exact-reply'))
let asks: ExactPort['askOf'] | null = null

/** Models that wrote a trial here. */
const opened = new Map<string, BrowserModel>()

const constrainedDecoding = createConstrainedDecoding({
  offerOf: (id) => browserExactOf(id),
  modelWith(id, fields) {
    const model = opened.get(id)
    if (!model) throw new Error('a model is tried that was not opened')
    return model.languageModel(fields)
  },
  monotonic: monotonicClock,
})

const browserTrials = createBrowserTrials({
  monotonic: monotonicClock,
  describe: () => t('lab.trouble.not-opened'),
  async open(id) {
    const config = await browserModelList().get(id)
    if (!config) throw new Error('this browser has no such model any more')
    const model = await openBrowserModel(config)
    opened.set(id, model)
    return model
  },
  exact: {
    decoding: constrainedDecoding,
    heldOf: async (...args) => (await exactReply()).heldOf(...args),
    async askOf({ strategy, tools, reading }) {
      const [{ createReplyConstraints }, { constraintOf }] = await Promise.all([
        loadPart(() => import('@/lib/shared/prompt/constraint-requests')),
        exactReply(),
      ])
      asks ??= createReplyConstraints()
      const settings = { strategy, tools: { enabled: true } }
      return constraintOf({ constrainedDecoding, askOf: asks }, { settings, tools }, reading ? { reading } : {})
    },
  },
  async promptOf(request) {
    const [{ promptForTab }, { trialInput }] = await Promise.all([
      loadPart(() => import('@/lib/shared/prompt/prompt-for-tab')),
      loadPart(() => import('@/lib/shared/prompt/trial-input')),
    ])
    const input = trialInput(request)
    return { prompt: await promptForTab(input), nativeTools: input.nativeTools ?? [] }
  },
})

/** The browser's own models; none if it has no storage. */
async function ownModels(): Promise<readonly ModelInfo[]> {
  const configs = await browserModelList()
    .all()
    .catch(() => [])
  return configs.map(({ id, label, kind, contextTokens }) => {
    const exact = constrainedDecoding.of(id)
    const plain = { id, label, providerLabel: kindNames[kind], contextTokens, simulated: false }
    return exact ? { ...plain, exact } : plain
  })
}

/** The lab's ports in this browser: models and storage, separate for each account. */
export const labPorts = {
  trials: trialsOf(
    createServerTrials((input, init) => fetchNoting(input, init)),
    browserTrials,
  ),
  journal: createLabJournal(indexedDbOrNull, personDatabases(pageWho).lab),
  models: () => nodApi.models(),
  ownModels,
  storage: labStorage,
  newId: () => crypto.randomUUID(),
  now: wallClock,
  wait: (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal.addEventListener('abort', done, { once: true })
    }),
}
