import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { decodeSettings } from '@/lib/shared/conversation/settings/settings'
import { openSqliteStore } from '@/lib/server/store/sqlite/open-sqlite-store'
import {
  bringHostFiles,
  entryOptions,
  hostFiles,
  releaseEntries,
  releaseScripts,
  writeReleasePackage,
} from './release/contents.mjs'
import { linksWithin } from './release/links-within.mjs'

/*
 * A release as its host has it: what its pages name must exist and work. Everything except the server itself is bundled
 * here; `npm test -- release` tests the whole.
 */

const root = path.resolve(import.meta.dirname, '..')
const LEAST_NODE = 24
const pages = hostFiles.filter((name) => name.startsWith('docs/'))
const address = 'ada@example.com'
let folder = ''
let release = ''
let made = 0
const freshFolder = (): string => {
  const name = path.join(folder, `f${(made += 1)}`)
  mkdirSync(name)
  return name
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly said: string
}

const settings = { NOD_AUTH: 'password,invite', NOD_AUTH_ANONYMOUS: 'off', NOD_ADMINS: 'boss@example.com' }
const run = (entry: string, args: readonly string[], { data, cwd = freshFolder() }: { data: string; cwd?: string }) =>
  new Promise<Ended>((resolve) => {
    const env = { NODE_ENV: 'production', PATH: process.env['PATH'] ?? '', NOD_DATA_DIR: data, ...settings } as const
    const options = { cwd, env, encoding: 'buffer' as const }
    execFile(process.execPath, [path.join(release, entry), ...args], options, (error, out, said) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? -1 : 0,
        out: String(out),
        said: String(said),
      }),
    )
  })

/** A data folder with an account in it. */
function withAccount(): string {
  const data = freshFolder()
  cpSync(path.join(folder, 'seed'), data, { recursive: true })
  return data
}

async function seed(): Promise<void> {
  const data = path.join(folder, 'seed')
  mkdirSync(data)
  const store = await openSqliteStore(path.join(data, 'nod.sqlite'), { decodeSettings, version: '0' })
  await store.accounts.addAccount(
    {
      id: 'ada',
      name: 'Ada',
      email: address,
      emailProven: true,
      owner: 'owner-of-ada',
      role: 'user',
      createdAt: 1,
      disabledAt: null,
    },
    { id: 'ada-in', providerId: 'header', accountId: 'ada' },
  )
  await store.close()
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'nod-release-folder-'))
  release = path.join(folder, 'release')
  mkdirSync(release)
  const small = Object.entries(releaseEntries).filter(([name]) => name !== 'serve.cjs')
  await Promise.all([
    ...small.map(([name, entry]) =>
      build({ ...entryOptions(LEAST_NODE), entryPoints: [path.join(root, entry)], outfile: path.join(release, name) }),
    ),
    bringHostFiles(root, release),
    writeReleasePackage(root, release, LEAST_NODE),
    seed(),
  ])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const shipped = (name: string): string => readFileSync(path.join(release, name), 'utf8')

describe('the pages of a release', () => {
  const slug = (heading: string): string =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
  const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => slug(heading))

  it.each(hostFiles.filter((name) => name.endsWith('.md')))('link to nothing that is missing: %s', (name) => {
    const dead: string[] = []
    for (const [, target = ''] of shipped(name).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      const [file = '', anchor] = target.split('#')
      const to = file === '' ? name : path.join(path.dirname(name), file)
      if (!existsSync(path.join(release, to))) dead.push(target)
      else if (anchor !== undefined && !anchorsOf(shipped(to)).includes(anchor)) dead.push(target)
    }
    expect(dead).toEqual([])
  })

  it('say where an unshipped page is, and keep links to shipped ones', () => {
    const text =
      'See [scaling](scaling.md), [the file](../deploy/nginx.conf#a), [x](https://x.example) and [`docs/lab.md`](lab.md).'
    expect(linksWithin(text, 'docs/install.md', ['deploy/nginx.conf'])).toBe(
      'See scaling (`docs/scaling.md` in the repository), [the file](../deploy/nginx.conf#a), [x](https://x.example) and `docs/lab.md`.',
    )
  })

  it('name files of the release that exist', () => {
    const brought = new Set([...hostFiles, ...Object.keys(releaseEntries)])
    for (const page of pages) {
      const named = [...shipped(page).matchAll(/(?:\/opt\/nod\/|\/app\/)([\w./-]*\w)/g)].map(([, name = '']) => name)
      expect(named.filter((name) => !brought.has(name))).toEqual([])
    }
  })
})

interface Named {
  readonly entry: string
  readonly args: string
}

/** Every `node X.cjs …` of the repository's pages: in a release, in a container, by systemd. */
const commands = new Map<string, Named>()
for (const page of pages) {
  const text = readFileSync(path.join(root, page), 'utf8').replaceAll('\\\n', ' ')
  for (const [, entry = '', rest = ''] of text.matchAll(/node (?:\/app\/|\/opt\/nod\/)?(\w+\.cjs)([^`\n|>#;&]*)/g)) {
    const args = rest.trim().replaceAll(/[.,:)]+$/g, '')
    commands.set(`${entry} ${args}`, { entry, args })
  }
}

describe('the commands that the pages name', () => {
  it('are many', () => {
    expect(commands.size).toBeGreaterThan(12)
    for (const { entry } of commands.values()) expect(Object.keys(releaseEntries)).toContain(entry)
  })

  const tried = [...commands.values()].filter(({ entry }) => entry !== 'serve.cjs')
  it.each(tried)('work in the release: $entry $args', async ({ entry, args }) => {
    const data = withAccount()
    const file = path.join(freshFolder(), 'nod.jsonl.gz')
    const backup = entry === 'backup.cjs' ? args.split(' ')[0] : ''
    if (backup === 'check' || backup === 'restore') expect((await run(entry, ['backup', file], { data })).code).toBe(0)
    const real = (text: string) =>
      text
        .replaceAll(/\[|\]/g, '')
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => {
          if (word === 'FILE' || word.endsWith('.jsonl.gz')) return file
          if (word === 'ADDRESS') return address
          return word === 'WORD' ? 'ada' : word
        })
    // With and without the optional arguments.
    for (const words of args.includes('[') ? [real(args), real(args.replaceAll(/\[[^\]]*\]/g, ''))] : [real(args)]) {
      rmSync(backup === 'backup' ? file : path.join(folder, 'none'), { force: true })
      const place = backup === 'restore' ? freshFolder() : data
      const { code, said } = await run(entry, words, { data: place })
      expect({ words, code, said: code === 0 ? '' : said }).toEqual({ words, code: 0, said: '' })
    }
  })

  it('with npm exist in the repository, and those of a release in the release', () => {
    const text = pages.map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n')
    const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, name = '']) => name)
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object }
    for (const name of named) expect(Object.keys(scripts)).toContain(name)
    const own = JSON.parse(shipped('package.json')) as { readonly scripts: Readonly<Record<string, string>> }
    expect(own.scripts).toEqual(releaseScripts)
    for (const [name, command] of Object.entries(own.scripts)) {
      expect(Object.keys(scripts)).toContain(name)
      const [node, entry = ''] = command.split(' ')
      expect([node, Object.keys(releaseEntries).includes(entry)]).toEqual(['node', true])
    }
  })

  it('in containers name existing services, Node and folders', () => {
    const services = ['compose.yaml', 'deploy/compose.two-nodes.yaml'].flatMap((file) =>
      Object.keys(
        (parse(readFileSync(path.join(root, file), 'utf8'), { merge: true }) as { services: object }).services,
      ),
    )
    const text = pages.map((page) => readFileSync(path.join(root, page), 'utf8')).join('\n')
    const named = [...text.matchAll(/(?:exec|run)(?: -\S+| --\S+| "[^"]*")* (\S+) (\/\S*node) (\/app)\//g)]
    expect(named.length).toBeGreaterThan(4)
    for (const [, service = '', node, app] of named) {
      expect([...services, '--']).toContain(service)
      expect([node, app]).toEqual(['/usr/local/bin/node', '/app'])
    }
    const dockerfile = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
    expect(dockerfile).toContain('node /usr/local/bin/node\n')
    expect(dockerfile).toContain('/src/.next/standalone /app\n')
  })
})

describe('the command for accounts', () => {
  it('creates the first invitation of an empty server, and lists its other commands', async () => {
    const data = freshFolder()
    const invited = await run('accounts.cjs', ['invite', 'boss@example.com', '--admin'], { data })
    expect(invited.out).toMatch(/^http:\/\/localhost:3000\/sign-up\?invitation=[\w-]{32}\n$/)
    for (const args of [[], ['--help']]) {
      const help = await run('accounts.cjs', args, { data })
      expect([help.code, help.out]).toEqual([
        0,
        expect.stringContaining('node accounts.cjs invite [ADDRESS] [--admin]'),
      ])
    }
  })

  it.each([
    [['nonsense'], 2, /Unknown command/],
    [['role', address, 'king'], 2, /Unknown command/],
    [['off'], 2, /Unknown command/],
    [['reset', 'nobody@example.com'], 1, /no account with the address nobody@example\.com/],
    [['invite', 'no address'], 2, /not a valid email address/],
  ])('answers %j with a sentence', async (args, code, sentence) => {
    const ended = await run('accounts.cjs', args, { data: withAccount() })
    expect(ended).toMatchObject({ code, out: '', said: expect.stringMatching(sentence) as string })
  })

  it('does what it says', async () => {
    const data = withAccount()
    const line = async (...args: readonly string[]) => (await run('accounts.cjs', args, { data })).out.trim()
    expect(await line('list')).toBe(`${address}  user  Ada`)
    expect(await line('role', address, 'admin')).toBe(`${address} is now an administrator.`)
    expect(await line('off', address)).toBe(`${address} is now disabled.`)
    expect(await line('list', 'ada')).toBe(`${address}  admin  off  Ada`)
    expect(await line('on', address)).toBe(`${address} is now enabled.`)
    expect(await line('out', address)).toBe(`${address} has no sessions.`)
    expect(await line('reset', address)).toMatch(/\/reset-password\?code=[\w-]{32}$/)
  })
})
