import { monotonicClock } from '@/lib/base/clocks'
import { createBrowserTrials, trialsOf, createServerTrials } from '@/lib/client/lab/trials'
import { t } from '@/lib/i18n/t'
import { fetchNoting } from '@/lib/client/wiring/nod-api.browser'
import { browserModelList, openBrowserModel } from './tab-models.browser'

/** Writes a summary: one reply that is not stored, by a model of the server or of this browser. */
export const summaryModel = trialsOf(
  createServerTrials((input, init) => fetchNoting(input, init)),
  createBrowserTrials({
    monotonic: monotonicClock,
    describe: () => t('lab.trouble.not-opened'),
    async open(id) {
      const config = await browserModelList().get(id)
      if (!config) throw new Error('this browser has no such model any more')
      return openBrowserModel(config)
    },
    // One request without tools: it does not need the code that builds chat prompts.
    promptOf({ systemPrompt, turns }) {
      const text = turns.flatMap((turn) => (turn.role === 'user' ? [turn.text] : [])).join('\n\n')
      return Promise.resolve({
        prompt: [
          { role: 'system', content: systemPrompt },
          { role: 'user', content: [{ type: 'text', text }] },
        ],
        nativeTools: [],
      })
    },
  }),
)
