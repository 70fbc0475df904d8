import { withBase } from '@/lib/base/base-path'
import { refusalIn } from '@/lib/client/api/wire'
import { readLines } from '@/lib/client/api/ndjson'
import type { TrialLine } from '@/lib/shared/conversation/wire/trial'
import { t } from '@/lib/i18n/t'
import { TrialRefused, type TrialModel } from './trial-model'

/** Models of the server, asked one reply at a time. */
export const createServerTrials = (fetchFrom: typeof fetch): TrialModel => ({
  async *ask(request, signal) {
    const response = await fetchFrom(withBase('/api/lab/trials'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error
      throw new TrialRefused(t('lab.trouble.unreachable'))
    })
    if (!response.ok || !response.body) throw await refused(response)
    let hasEnded = false
    for await (const text of readLines(response.body)) {
      if (text === '') continue
      const line = JSON.parse(text) as TrialLine
      hasEnded = line.type === 'end'
      yield line
    }
    if (!hasEnded) throw new TrialRefused(t('lab.trouble.broke-off'))
  },
})

/** Whoever is told when to come again waits; what is wrong with the request, or forbidden, stays so. */
async function refused(response: Response): Promise<TrialRefused> {
  const answer = await refusalIn(response)
  if (answer.ok) return new TrialRefused(t('lab.trouble.broke-off'))
  const { code, message, retryAfterMs } = answer.error
  const isForLong = code === 'over-budget'
  const isFinal = isForLong || ['bad-request', 'forbidden', 'unknown-model', 'not-found', 'signed-out'].includes(code)
  const retryAfterSeconds = retryAfterMs === undefined || isForLong ? null : Math.ceil(retryAfterMs / 1_000)
  return new TrialRefused(message, { retryAfterSeconds, isFinal })
}
