import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADDED_STRATEGY, makeRecipeCopy } from './add-to-it/recipe-copy'

// Like add-to-it.test.ts, with the slow parts: all steps compile, tests included, and the strategy passes the whole
// contract.

const { run, test, followAll, remove } = makeRecipeCopy()
beforeAll(followAll, 120_000)
afterAll(remove)

describe('the pages on how to add something', () => {
  it('compile with all sources and tests', () => {
    expect(run('tsc', '--noEmit')).toEqual({ code: 0, out: '' })
  }, 240_000)

  it('produce a strategy that passes the contract, is escaped in results, and is written by the demo', () => {
    const { passed, red } = test(
      [
        'lib/protocols/strategies.test.ts',
        'lib/protocols/neutralise',
        'lib/protocols/prompt.test.ts',
        'lib/protocols/one-damage.test.ts',
        'lib/protocols/scan/not-a-request.test.ts',
        'lib/protocols/tool-context-builder.test.ts',
        'lib/protocols/corpus.test.ts',
        'lib/server/models/demo/with-strategies.test.ts',
        'lib/server/wiring/make-server.test.ts',
        'lib/shared/prompt/model-messages.property.test.ts',
        'lib/protocols/explain/reply-examples.test.ts',
      ],
      `${ADDED_STRATEGY}|in JSON|knows its strategies|one strategy only|one file a strategy|what the model is sent`,
    )
    expect(red).toEqual([])
    expect(passed).toBeGreaterThan(100)
  }, 240_000)
})
