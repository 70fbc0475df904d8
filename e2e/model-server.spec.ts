import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { strategyIds, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { Chat } from './support/chat'

const fixtureOf = (strategy: StrategyId): string => `${strategy.toLowerCase().replace('_', '-')}-write`
/** The strategies with a recorded reply. */
const recorded = strategyIds.filter((id) =>
  existsSync(path.join(import.meta.dirname, `fixtures/replies/${fixtureOf(id)}.json`)),
)

/** One that is read from the text, and the provider's own calls. */
const onEachChange = new Set<StrategyId>(['XML_Tag', 'Native'])

// The same product over HTTP: an OpenAI-compatible server replays recorded replies, split at awkward places.
test.describe('over an OpenAI-compatible server', () => {
  test.beforeEach(async ({ page }) => {
    const chat = new Chat(page)
    await chat.open()
    await chat.chooseModel(/replay/i)
  })

  for (const strategy of recorded) {
    const nightly = onEachChange.has(strategy) ? '' : ' @nightly'
    test(`a recorded ${strategy} reply becomes a card, runs, and the model continues${nightly}`, async ({ page }) => {
      const chat = new Chat(page)
      await chat.choose(strategy)
      await chat.send(`fixture:${fixtureOf(strategy)}`)
      await chat.runThrough('write_file')
      await expect(chat.result('write_file')).toContainText('done')
      await expect(chat.log).not.toContainText(
        /tool_calls|<tool_code>|TOOL_REQUEST|<tool_action|"action"|tool_call|␞|�/,
      )
    })
  }

  test('failures are sentences that say what to do, and the chat stays usable', async ({ page }) => {
    const chat = new Chat(page)
    await chat.send('fixture:failure-401')
    await expect(chat.log).toContainText(/key/i)
    await expect(chat.replies().last().getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
    await chat.send('fixture:failure-500')
    await expect(chat.replies().last()).toContainText(/Replay|replay/)
    await chat.send('fixture:dropped')
    await expect(chat.replies().last().getByRole('button', { name: 'Retry', exact: true })).toBeVisible()
    await chat.send('fixture:stall')
    await expect(chat.replies().last().getByRole('button', { name: 'Retry', exact: true })).toBeVisible({
      timeout: 40_000,
    })
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toHaveCount(0)
    await chat.send('fixture:json-strict-write')
    await expect(chat.call('write_file')).toBeVisible()
  })
})
