import { expect, test } from '@playwright/test'
import { restartPort } from './support/addresses'
import { Chat } from './support/chat'
import { startExactServer, type ExactModel, type ExactServer } from './support/exact-server'
import { inspect, takePart } from './support/inspect'
import { choose } from './support/scripted-chat'
import { startNod } from './support/start-nod'

const call = '{"name": "list_directory", "arguments": {"path": "/"}}'
const inFence = (json: string): string => `I look.\n\n\`\`\`json\n${json}\n\`\`\`\n`
const texts = { bound: inFence(`{"tool_calls": [${call}]}`), free: inFence(`{"tool_calls": [${call},]}`) }
const model = (manner: ExactModel['manner']): ExactModel => ({
  manner,
  field: 'grammar',
  ...texts,
  cached: { as: 'timings', tokens: 900 },
})

const nodWith = (models: ExactServer) =>
  startNod({
    port: restartPort,
    dataDir: `.cache/e2e-exact-${Date.now()}`,
    env: { NOD_OPENAI_COMPATIBLE_URL: models.url, NOD_OPENAI_COMPATIBLE_MODELS: '' },
  })

/** A call that only reads is one line; its call format is shown in the whole card. */
const open = async (chat: Chat) => {
  const line = chat.replies().last().getByRole('button', { name: 'List the folder /' })
  await line.click()
  await expect(chat.replies().last()).toContainText('via JSON_')
}

test(
  'replies are called exact if their server constrains them; otherwise the page says once that they are not',
  { tag: '@nightly' },
  async ({ page }) => {
    const models = await startExactServer({
      ownedBy: 'llamacpp',
      models: {
        binding: model('honours'),
        deaf: model('ignores'),
        strict: model({
          status: 400,
          body: '{"error":{"code":400,"message":"Failed to parse grammar"}}',
          grammarOf: 'replies',
        }),
      },
    })
    const nod = await nodWith(models)
    try {
      const chat = new Chat(page)
      await chat.open(`http://localhost:${restartPort}/`)
      await chat.choose('JSON_Strict')
      await chat.chooseModel('binding')
      await chat.ask('What is there?')
      await open(chat)
      await expect(chat.call('list_directory')).toContainText('exact')
      await expect(chat.picker).toHaveText('binding · JSON_Strict · exact')

      await page.getByRole('button', { name: 'Chat settings' }).click()
      const settings = page.getByRole('dialog', { name: 'Chat settings' })
      await settings.getByRole('tab', { name: 'Call format' }).click()
      const section = settings.getByRole('region', { name: 'Exact calls' })
      await expect(section).toContainText('The server of binding enforces')
      await expect(settings).toContainText('The server had 900 of the last prompt’s 1,000 tokens in its cache (90 %).')
      await section.getByRole('switch', { name: 'Exact calls' }).click()
      await expect(section.getByRole('switch', { name: 'Exact calls' })).not.toBeChecked()
      await settings.getByRole('button', { name: 'Close settings' }).click()
      await chat.ask('And now?')
      await expect(chat.replies().last()).toContainText('via JSON_Strict')
      await expect(chat.replies().last()).not.toContainText('exact')
      expect(models.bodies.at(-1)).not.toHaveProperty('grammar')

      for (const [name, said] of [
        ['deaf', 'ignores the grammar'],
        ['strict', 'rejected the grammar of JSON_Strict'],
      ] as const) {
        await page.getByRole('button', { name: 'New chat' }).first().click()
        await expect(chat.replies()).toHaveCount(0)
        await chat.choose('JSON_Strict')
        await chat.chooseModel(name)
        await chat.ask('What is there?')
        await expect(chat.replies()).toHaveCount(1)
        await expect(chat.replies().last()).toContainText(said)
        await expect(chat.call('list_directory')).toContainText('via JSON_Strict')
        await expect(chat.call('list_directory')).not.toContainText('exact')
        await chat.ask('And now?')
        await expect(chat.log.getByText(said)).toHaveCount(1)
      }
    } finally {
      await nod.kill()
      await models.close()
    }
  },
)

test(
  'a server that supports only JSON schemas constrains a whole reply, shown as text and a card',
  { tag: '@nightly' },
  async ({ page }) => {
    const words = { action: 'text', text: 'I **look** around.' }
    const listing = { action: 'tool_call', name: 'list_directory', arguments: { path: '/' } }
    const models = await startExactServer({
      ownedBy: 'organization_owner',
      models: {
        binding: {
          manner: 'honours',
          field: 'response_format',
          bound: JSON.stringify([words, listing]),
          free: 'As ever.',
        },
      },
    })
    const nod = await nodWith(models)
    try {
      const chat = new Chat(page)
      await chat.open(`http://localhost:${restartPort}/`)
      await chat.choose('JSON_Action')
      await chat.chooseModel('binding')
      await page.getByRole('button', { name: 'Chat settings' }).click()
      const settings = page.getByRole('dialog', { name: 'Chat settings' })
      await settings.getByRole('tab', { name: 'Call format' }).click()
      await settings.getByRole('switch', { name: 'Exact calls' }).click()
      await expect(settings.getByRole('region', { name: 'Exact calls' })).toContainText('text as text')
      await settings.getByRole('button', { name: 'Close settings' }).click()
      await chat.ask('What is there?')
      await open(chat)
      await expect(chat.call('list_directory')).toContainText('exact')
      await expect(chat.replies().last().locator('strong')).toHaveText('look')
      await expect(chat.replies().last()).not.toContainText('"action"')
      await page.reload()
      await open(chat)
      await expect(chat.call('list_directory')).toContainText('exact')
      await expect(chat.replies().last()).not.toContainText('"action"')
      await inspect(page, 'exact-schema')
    } finally {
      await nod.kill()
      await models.close()
    }
  },
)

// The README's picture of it is taken here.
test('a call in another vendor’s format is shown as such, and can be used', { tag: '@nightly' }, async ({ page }) => {
  const written = JSON.stringify({
    name: 'write_file',
    arguments: { path: '/notes/list.md', content: '# Two days\n\n- tent\n- torch\n- two shirts\n' },
  })
  const free = `I put the list into a file.\n\n<tool_call>\n${written}\n</tool_call>`
  const models = await startExactServer({
    models: { 'qwen3-8b': { manner: 'ignores', field: 'grammar', bound: '', free } },
  })
  const nod = await nodWith(models)
  try {
    await page.setViewportSize({ width: 1280, height: 860 })
    const chat = new Chat(page)
    await chat.open(`http://localhost:${restartPort}/`)
    await chat.chooseModel('qwen3-8b')
    await chat.ask('Put a packing list for two days into /notes/list.md')
    const take = page.getByRole('button', { name: 'Use this call' })
    await expect(take).toBeVisible()
    const foreign = chat.call('write_file')
    await choose(foreign, 'Show the model’s text')
    await expect(foreign).toContainText('<tool_call>')
    await inspect(page, 'foreign-light')
    await takePart(page, foreign, 'foreign-call')
    await take.click()
    await expect(chat.call('write_file').getByRole('button', { name: 'Run', exact: true })).toBeVisible()
  } finally {
    await nod.kill()
    await models.close()
  }
})
