import { expect, it } from 'vitest'
import type { ToolCallConfig } from '@/lib/shared/conversation/conversation'
import { resultApprovalText } from './use-result-approval'
import { outcome } from '../testing/fixtures'

const failed = outcome({ status: 'error', result: { error: 'no' } })
const large = outcome({ result: 'x'.repeat(20_000) })
const here = { finishedAt: 5, importedAt: undefined }
type Config = Pick<ToolCallConfig, 'resultGate' | 'toolRules'>
const config = (over: Partial<Config>): Config => ({ resultGate: 'never', toolRules: {}, ...over })

it.each<[string, Config, typeof failed, string]>([
  [
    'a rule',
    config({ toolRules: { read_file: { result: 'always' } } }),
    outcome(),
    'you chose to review every result of read_file',
  ],
  ['the gate', config({ resultGate: 'always' }), failed, 'you chose to review every result'],
  [
    'a rule for failures',
    config({ toolRules: { read_file: { result: 'on-error' } } }),
    failed,
    'you chose to review failed results of read_file',
  ],
  ['failures', config({ resultGate: 'large-or-failed' }), failed, 'you chose to review failed results'],
  ['size', config({ resultGate: 'large-or-failed' }), large, 'you chose to review large results'],
  // The settings have changed since: no reason is given.
  ['nothing of now', config({}), failed, ''],
  ['nothing of now, small', config({ resultGate: 'large-or-failed' }), outcome(), ''],
  ['another tool', config({ toolRules: { write_file: { result: 'always' } } }), outcome(), ''],
])('a result waits for %s', (_why, settings, one, words) => {
  expect(resultApprovalText('read_file', one, settings, here)).toBe(words)
})

it('an imported result waits because of that, and one made after the import does not', () => {
  const always = config({ resultGate: 'always' })
  expect(resultApprovalText('read_file', outcome(), always, { finishedAt: 5, importedAt: 9 })).toBe(
    'it came with the imported file',
  )
  expect(resultApprovalText('read_file', outcome(), always, { finishedAt: 10, importedAt: 9 })).toBe(
    'you chose to review every result',
  )
})
