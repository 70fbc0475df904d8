import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import type { JsonObject } from '@/lib/base/json'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { strategyIds, type StrategyId } from '@/lib/protocols/types/tool-context-def'
import { basePath, restartPort } from './support/addresses'
import { inspect } from './support/inspect'
import { nativeCall, ScriptedChat, xmlCall } from './support/scripted-chat'
import { startNod } from './support/start-nod'

const app = `http://localhost:${restartPort}${basePath}`
const inPackage = (...parts: readonly string[]) => path.resolve(...parts)
const mcpServers = {
  everything: {
    command: process.execPath,
    args: [inPackage('node_modules', '@modelcontextprotocol', 'server-everything', 'dist', 'index.js'), 'stdio'],
    env: { API_KEY: 'a key that no page may see' },
  },
  notes: {
    command: process.execPath,
    args: [inPackage('lib', 'server', 'tool-servers', 'testing', 'stdio-server.mjs')],
  },
}

test(
  'tools of the operator’s servers are approved and called through this app’s server',
  { tag: '@nightly' },
  async ({ page }) => {
    const dataDir = `.cache/e2e-relay-${Date.now()}`
    await mkdir(dataDir, { recursive: true })
    const config = path.resolve(dataDir, 'nod.config.json')
    await writeFile(config, JSON.stringify({ mcpServers }))
    const nod = await startNod({ port: restartPort, dataDir, env: { NOD_CONFIG: config } })
    try {
      const answers: string[] = []
      page.on('response', (response) => {
        if (response.url().includes('/api/'))
          void response.text().then(
            (text) => answers.push(text),
            () => {},
          )
      })
      const chat = await ScriptedChat.open(
        page,
        [
          xmlCall('everything_echo', { message: 'hello' }),
          'It said hello.',
          xmlCall('notes_wait', {}),
          xmlCall('notes_keep', { path: '/a' }),
          'Kept.',
          xmlCall('notes_ask', {}),
          'Four seats.',
          xmlCall('notes_plan', { leg: 1 }),
          'Walk there.',
          xmlCall('notes_crash', {}),
          'It is gone.',
        ],
        { app },
      )
      const lock = page.getByRole('dialog', { name: 'What the model will read' })
      const dialog = page.getByRole('dialog', { name: 'Tool servers', exact: true })

      await test.step('the operator’s servers are listed, and their tools approved once', async () => {
        await page.getByRole('button', { name: 'Chat settings' }).click()
        const drawer = page.getByRole('dialog', { name: 'Chat settings' })
        await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
        await drawer.getByRole('button', { name: 'Tool servers…' }).click()
        const offered = dialog.getByRole('region', { name: 'From this site' })
        await expect(offered.getByRole('listitem')).toHaveText([/^everything/, /^notes/])
        for (const name of ['everything', 'notes']) {
          await offered.getByRole('button', { name: `Review the tools of ${name}` }).click()
          await expect(lock).toContainText(name === 'notes' ? 'notes_keep' : 'everything_echo')
          await lock.getByRole('button', { name: /^Approve/ }).click()
          await expect(lock).toHaveCount(0)
        }
        await expect(offered).toHaveCount(0)
        await expect(dialog.getByText('Run by this site')).toHaveCount(2)
        await expect(dialog.getByText('except to those that this site runs')).toBeVisible()
        await expect(dialog.getByRole('status').filter({ hasText: 'tools in use' })).toHaveCount(2)
        await inspect(page, 'servers-operator')
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
        await page.keyboard.press('Escape')
        await expect(drawer).toHaveCount(0)
      })

      await test.step('the card says that the call goes through this server; the page sends none of its arguments', async () => {
        const relayed = page.waitForRequest((request) => request.url().endsWith('/calls/relay'))
        await chat.begin()
        const card = chat.card('everything_echo')
        await expect(card).toContainText('To everything, run by this site: message (5 characters)')
        await inspect(page, 'relay-waiting')
        await card.getByRole('button', { name: 'Run', exact: true }).click()
        const body = (await relayed).postDataJSON() as Record<string, unknown>
        expect(Object.keys(body).toSorted()).toEqual(['attempt', 'messageId', 'slot'])
        await card.getByRole('button', { name: /^Send result/ }).click()
        expect(await chat.told(2)).toContain('hello')
        await expect(chat.replies().last()).toContainText('It said hello.')
        // A second request is refused: the run was claimed.
        const again = await page.request.post((await relayed).url(), { data: body })
        expect(again.status()).toBe(409)
      })

      await test.step('progress is shown, and Stop cancels at the program', async () => {
        await chat.ask('Wait for it')
        const card = chat.card('notes_wait')
        await card.getByRole('button', { name: 'Run', exact: true }).click()
        await expect(card).toContainText('half')
        await card.getByRole('button', { name: 'Stop', exact: true }).click()
        await expect(card).toContainText('You stopped this while it ran.')
        await card.getByRole('button', { name: 'Tell the model', exact: true }).click()
        const keep = chat.card('notes_keep')
        await keep.getByRole('button', { name: 'Run', exact: true }).click()
        await expect(keep).toContainText('cancelled')
        await keep.getByRole('button', { name: /^Send result/ }).click()
        await expect(chat.replies().last()).toContainText('Kept.')
      })

      await test.step('a question of the program is a form on the card; a reload ends it, and the call runs again', async () => {
        await chat.ask('Ask me')
        const card = chat.card('notes_ask')
        await card.getByRole('button', { name: 'Run', exact: true }).click()
        await expect(card.getByText('How many seats?')).toBeVisible()
        await card.getByRole('textbox', { name: 'Seats' }).fill('4')
        await inspect(page, 'relay-asks')
        await page.reload()
        await card.getByRole('button', { name: 'Run again', exact: true }).click()
        await expect(card.getByRole('textbox', { name: 'Seats' })).toHaveValue('4')
        await card.getByRole('button', { name: /^Answer/ }).click()
        await expect(card).toContainText('accept 4')
        await card.getByRole('button', { name: /^Send result/ }).click()
        await expect(chat.replies().last()).toContainText('Four seats.')
      })

      await test.step('its page opens, and a call of the page is sent once and stored', async () => {
        await chat.ask('Plan it')
        const card = chat.card('notes_plan')
        await card.getByRole('button', { name: 'Run', exact: true }).click()
        await card.getByRole('button', { name: 'Open page' }).click()
        const frame = page.frameLocator('iframe[title^="Page of"]')
        await expect(frame.getByText('Leg 1 from the program')).toBeVisible()
        await frame.getByRole('button', { name: 'Next leg' }).click()
        const wish = card.getByRole('group', { name: /asks to run next/ })
        await wish.getByRole('button', { name: 'Run', exact: true }).click()
        await expect(frame.getByText('Leg 2 from the program')).toBeVisible()
        await expect(card.getByRole('region', { name: 'Tools that the page asked for' })).toBeVisible()
        await inspect(page, 'relay-page')
        await card.getByRole('button', { name: /^Send result/ }).click()
        await expect(chat.replies().last()).toContainText('Walk there.')
      })

      await test.step('a skill of a program is copied as announced and waits for approval; one that differs is refused', async () => {
        await page.getByRole('button', { name: 'Chat settings' }).click()
        const drawer = page.getByRole('dialog', { name: 'Chat settings' })
        await drawer.getByRole('tab', { name: 'Skills', exact: true }).click()
        await drawer.getByRole('button', { name: 'Add a skill' }).click()
        await page.getByRole('menuitem', { name: 'From a tool server …' }).click()
        const offered = drawer.getByRole('region', { name: 'From a tool server …' })
        await offered.getByRole('button', { name: 'List its skills' }).last().click()
        await offered.getByRole('button', { name: 'Add swap' }).click()
        await expect(offered.getByRole('alert')).toContainText('The files that notes sent differ from its list')
        await offered.getByRole('button', { name: 'Add pack' }).click()
        await drawer.getByRole('button', { name: 'Review pack' }).click()
        await expect(lock).toContainText('How to pack.')
        await lock.getByRole('button', { name: 'Close' }).click()
        await page.keyboard.press('Escape')
        await expect(drawer).toHaveCount(0)
      })

      await test.step('a program that exits during a call leaves unknown whether it ran, and the call is not sent again', async () => {
        await chat.ask('Crash it')
        const card = chat.card('notes_crash')
        await card.getByRole('button', { name: 'Run', exact: true }).click()
        await expect(card).toContainText('It is not known whether this call ran.')
      })

      expect(answers.length).toBeGreaterThan(10)
      for (const secret of [
        'a key that no page may see',
        'stdio-server.mjs',
        'server-everything',
        'the disk is on fire',
      ]) {
        expect(answers.filter((text) => text.includes(secret))).toEqual([])
      }
    } finally {
      await nod.end()
    }
  },
)

/** A free port, for a program that takes one as an argument. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const program = (name: string) =>
  inPackage('node_modules', '@modelcontextprotocol', `server-${name}`, 'dist', 'index.js')

interface NpmServer {
  readonly name: string
  /** It is added by its address; left out: the operator runs it. */
  readonly transport?: 'streamableHttp' | 'sse'
  /** What the model searches for first, if the server has too many tools for the prompt. */
  readonly search?: string
  readonly tool: string
  readonly args: (folder: string) => JsonObject
  readonly shows: string
}
const everything = { name: 'everything', search: 'echo a message', tool: 'echo', shows: 'Echo: hello' } as const
const thinks = { thought: 'First, look.', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
const npmServers: Readonly<Record<StrategyId, NpmServer>> = {
  JSON_Strict: { ...everything, transport: 'streamableHttp', args: () => ({ message: 'hello' }) },
  // The transport of 2024-11-05.
  XML_Tag: { ...everything, transport: 'sse', args: () => ({ message: 'hello' }) },
  VCP: {
    name: 'filesystem',
    search: 'read a text file',
    tool: 'read_text_file',
    args: (folder) => ({ path: path.join(folder, 'note.txt') }),
    shows: 'kept on the disk',
  },
  Tool_Action: {
    name: 'memory',
    tool: 'create_entities',
    args: () => ({ entities: [{ name: 'Ada', entityType: 'person', observations: ['wrote notes'] }] }),
    shows: 'wrote notes',
  },
  JSON_Action: { name: 'thinking', tool: 'sequentialthinking', args: () => thinks, shows: 'thoughtHistoryLength' },
  Native: { name: 'memory', tool: 'read_graph', args: () => ({}), shows: 'Ada' },
}

test('in each format a server from npm is added, called and removed', { tag: '@nightly' }, async ({ page }) => {
  test.setTimeout(300_000)
  const dataDir = `.cache/e2e-npm-${Date.now()}`
  await mkdir(dataDir, { recursive: true })
  const folder = path.resolve(dataDir)
  await writeFile(path.join(folder, 'note.txt'), 'kept on the disk')
  const node = (...args: readonly string[]) => ({ command: process.execPath, args, shared: true })
  const config = path.join(folder, 'nod.config.json')
  await writeFile(
    config,
    JSON.stringify({
      mcpServers: {
        filesystem: node(program('filesystem'), folder),
        memory: { ...node(program('memory')), env: { MEMORY_FILE_PATH: path.join(folder, 'memory.jsonl') } },
        thinking: node(program('sequential-thinking')),
      },
    }),
  )
  const nod = await startNod({ port: restartPort, dataDir, env: { NOD_CONFIG: config } })
  const programs: ChildProcess[] = []
  try {
    for (const format of strategyIds) {
      const { name, transport, search, tool, args, shows } = npmServers[format]
      await test.step(`${name} in ${format}`, async () => {
        const called = `${name}_${tool}`
        const write = (one: string, given: JsonObject) =>
          format === 'Native'
            ? nativeCall(one, given)
            : toolContextBuilder.get(format).formatCalls([{ name: one, arguments: given }])
        const replies = [
          ...(search ? [write('find_tools', { query: search })] : []),
          write(called, args(folder)),
          'Done.',
        ]
        const chat = await ScriptedChat.open(page, replies, { app, strategy: format })
        const drawer = page.getByRole('dialog', { name: 'Chat settings' })
        const dialog = page.getByRole('dialog', { name: 'Tool servers', exact: true })
        const openServers = async () => {
          await page.getByRole('button', { name: 'Chat settings' }).click()
          await drawer.getByRole('tab', { name: 'Tools', exact: true }).click()
          await drawer.getByRole('button', { name: 'Tool servers…' }).click()
        }
        const closeServers = async () => {
          await page.keyboard.press('Escape')
          await expect(dialog).toHaveCount(0)
          await page.keyboard.press('Escape')
          await expect(drawer).toHaveCount(0)
        }
        await openServers()
        if (transport) {
          const port = await freePort()
          const address = `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`
          const env = { ...process.env, PORT: String(port) }
          programs.push(spawn(process.execPath, [program(name), transport], { env, stdio: 'ignore' }))
          const isUp = () =>
            fetch(`http://127.0.0.1:${port}/`).then(
              () => true,
              () => false,
            )
          await expect.poll(isUp, { timeout: 30_000 }).toBe(true)
          const field = dialog.getByRole('textbox', { name: 'Address or JSON' })
          await field.fill(JSON.stringify({ mcpServers: { [name]: { type: transport, url: address } } }))
          await dialog.getByRole('button', { name: 'Test', exact: true }).click()
          await expect(dialog.getByRole('status').filter({ hasText: 'tools' })).toContainText('2025-11-25')
          await page.getByRole('button', { name: 'Review and add' }).click()
        } else {
          await dialog.getByRole('button', { name: `Review the tools of ${name}` }).click()
        }
        const lock = page.getByRole('dialog', { name: 'What the model will read' })
        await expect(lock).toContainText(called)
        await lock.getByRole('button', { name: /^Approve/ }).click()
        await expect(lock).toHaveCount(0)
        await expect(dialog.getByRole('status').filter({ hasText: 'in use' })).toBeVisible()
        await closeServers()

        await chat.start()
        const card = chat.card(called)
        await expect(card.getByRole('button', { name: 'Run', exact: true })).toBeEnabled()
        await chat.settled()
        await card.getByRole('button', { name: 'Run', exact: true }).press('Enter')
        await expect(card).toContainText(shows)
        await card.getByRole('button', { name: /^Send result/ }).click()
        await expect(chat.replies().last()).toContainText('Done.')
        expect(JSON.stringify((await chat.sent()).at(-1)?.messages.at(-1))).toContain(shows)

        await openServers()
        await dialog.getByRole('button', { name: `Remove ${name}` }).click()
        await expect(dialog).toContainText('No servers yet.')
        await closeServers()
      })
    }
  } finally {
    for (const one of programs) one.kill()
    await nod.end()
  }
})
