import nodeFs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { applyChangeList, parseChangeList, type ChangeStep } from '@/lib/sandbox/vfs-bridge'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { createGuestNode, type GuestNode } from '../guest-node'
import type { RunChange } from '../../run-files'

/*
 * The same random calls on Node's own fs, in a temporary folder, and on the guest's: compares each result, the files at
 * the end, and the host's files after the list of changes was applied.
 */

/** mulberry32: the same numbers for the same seed on every machine. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const start: Readonly<Record<string, string>> = {
  'a/a': 'one',
  'a/b/c': 'two',
  b: 'three',
  'c/d': 'four',
  'c/a/a': 'five',
}
const names = ['a', 'b', 'c', 'd'] as const

type Files = Readonly<Record<string, string | null>>
type Op = readonly [name: string, ...args: unknown[]]
type Fs = Readonly<Record<string, (...args: unknown[]) => unknown>>

function randomOp(random: (below: number) => number): Op {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const anyPath = (): string => {
    let made: string = pick(names)
    while (random(2) === 1 && made.length < 5) made += `/${pick(names)}`
    return made
  }
  const [p, q, text] = [anyPath(), anyPath(), `t${random(1_000)}`]
  const ops: readonly Op[] = [
    ['writeFileSync', p, text],
    ['appendFileSync', p, text],
    ['readFileSync', p, 'utf8'],
    ['mkdirSync', p],
    ['mkdirSync', p, { recursive: true }],
    ['rmSync', p, { recursive: true, force: true }],
    ['rmSync', p, { recursive: true }],
    ['rmSync', p],
    ['unlinkSync', p],
    ['rmdirSync', p],
    ['renameSync', p, q],
    ['renameSync', p, q],
    ['copyFileSync', p, q],
    ['cpSync', p, q, { recursive: true }],
    ['cpSync', p, q],
    ['readdirSync', p],
    ['readdirSync', p, { recursive: true }],
    ['existsSync', p],
    ['accessSync', p],
    ['truncateSync', p, random(6)],
    ['writeFileSync', p, text, { flag: 'wx' }],
    ['writeFileSync', p, text, { flag: 'a' }],
    ['writeFileSync', p, text, { flag: 'r+' }],
    ['patch', p, text, random(8)],
    ['kind', p],
  ]
  return pick(ops)
}

/** The result of a call, without details that may differ: the order of names, paths of created folders. */
function perform(fs: Fs, root: string, [name, ...args]: Op): string {
  const isPath = (at: number) => at === 0 || (at === 1 && ['renameSync', 'copyFileSync', 'cpSync'].includes(name))
  const given = args.map((each, at) => (isPath(at) ? `${root}/${String(each)}` : each))
  try {
    if (name === 'patch') {
      const fd = fs['openSync']?.(given[0], 'r+')
      fs['writeSync']?.(fd, given[1], given[2])
      fs['closeSync']?.(fd)
      return 'patched'
    }
    if (name === 'kind') {
      const stats = fs['statSync']?.(given[0]) as { isDirectory(): boolean; size: number }
      return stats.isDirectory() ? 'folder' : `file of ${stats.size}`
    }
    const value = fs[name]?.(...given)
    if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted())
    return name === 'mkdirSync' ? 'made' : (JSON.stringify(value) ?? 'nothing')
  } catch (thrown) {
    return `throws ${String((thrown as { code?: unknown }).code ?? thrown)}`
  }
}

function filesOf(fs: Fs, root: string, folder = ''): Files {
  const found: Record<string, string | null> = {}
  const listed = fs['readdirSync']?.(`${root}${folder === '' && root === '' ? '/' : folder}`) as readonly string[]
  for (const name of [...listed].toSorted()) {
    const file = `${folder}/${name}`
    const stats = fs['statSync']?.(root + file) as { isDirectory(): boolean }
    if (stats.isDirectory()) Object.assign(found, { [file]: null }, filesOf(fs, root, file))
    else found[file] = String(fs['readFileSync']?.(root + file, 'utf8'))
  }
  return found
}

async function filesOfVfs(vfs: Vfs): Promise<Files> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const found: Record<string, string | null> = {}
  for (const { path: file, kind } of tree.value) {
    const read = kind === 'file' ? await vfs.read(file) : null
    found[file] = read?.ok === true ? new TextDecoder().decode(read.value) : null
  }
  return found
}

/** As a run submits it and the bridge applies it. */
async function commit(vfs: Vfs, changes: readonly RunChange[]): Promise<void> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let at = 0
  const list = changes.map((change): ChangeStep => {
    if (change.kind !== 'write') return change
    const data = change.data.slice()
    parts.push(data)
    at += data.byteLength
    return { kind: 'write', path: change.path, at: at - data.byteLength, size: data.byteLength }
  })
  const steps = parseChangeList(JSON.stringify(list), at)
  if (!steps.ok) throw new Error(steps.error)
  const applied = await applyChangeList(vfs, steps.value, new Blob(parts), () => true)
  if (applied?.ok !== true) throw new Error(`not applied: ${applied?.error.message}`)
}

async function guestOver(vfs: Vfs): Promise<GuestNode> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const contents = await Promise.all(
    tree.value.map(async ({ path: file, kind }) => (kind === 'file' ? vfs.read(file) : null)),
  )
  const never = (): never => {
    throw new Error('not in a fuzz')
  }
  return createGuestNode({
    entries: tree.value,
    read: (index) => {
      const read = contents[index]
      if (read?.ok !== true) throw new Error('no contents')
      return read.value
    },
    limits: { maxFileBytes: 1e6, maxTotalBytes: 1e7, maxFiles: 1_000 },
    access: 'write',
    now: Date.now,
    timers: { setTimeout: never, clearTimeout: never, setInterval: never, clearInterval: never, soon: queueMicrotask },
    print: () => {},
    exit: never,
    elapsed: () => 0,
  })
}

/**
 * Calls with bugs in Node itself: it removes the target file before it reports that a folder can't be copied to it, and
 * `cpSync` into an existing folder crashes the whole process on some trees.
 */
function isNodesOwn([name, from, to]: Op, root: string): boolean {
  const kindOf = (file: unknown) => nodeFs.statSync(path.join(root, String(file)), { throwIfNoEntry: false })
  if (name === 'copyFileSync') return kindOf(from)?.isDirectory() === true
  return name === 'cpSync' && (kindOf(to) !== undefined || String(to).startsWith(String(from)))
}

/** Runs one round; returns the differences as readable lines. */
export async function fuzzRound(seed: number, calls = 40): Promise<readonly string[]> {
  const random = randomOf(seed)
  const root = nodeFs.realpathSync(nodeFs.mkdtempSync(path.join(os.tmpdir(), 'nod-fuzz-')))
  try {
    const vfs = createMemoryVfs()
    for (const [file, text] of Object.entries(start)) {
      nodeFs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
      nodeFs.writeFileSync(path.join(root, file), text)
      await vfs.write(`/${file}`, new TextEncoder().encode(text))
    }
    const guest = await guestOver(vfs)
    const own = guest.globals['fs'] as Fs
    const real = nodeFs as unknown as Fs
    const different: string[] = []
    const done: string[] = []
    for (let call = 0; call < calls && different.length === 0; call++) {
      const op = randomOp(random)
      if (isNodesOwn(op, root)) continue
      const [want, got] = [perform(real, root, op), perform(own, '', op)]
      done.push(`${op[0]} ${JSON.stringify(op.slice(1))}`)
      if (want !== got)
        different.push(`${done.at(-1)}: Node ${want}, here ${got}, after\n${done.slice(-8, -1).join('\n')}`)
    }
    const [there, here] = [filesOf(real, root), filesOf(own, '')]
    if (JSON.stringify(there) !== JSON.stringify(here))
      different.push(`files: Node ${JSON.stringify(there)}\nhere ${JSON.stringify(here)}\nafter ${done.join('\n')}`)
    await commit(vfs, guest.end())
    const kept = await filesOfVfs(vfs)
    const sorted = (files: Files) => JSON.stringify(Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if (sorted(kept) !== sorted(here))
      different.push(`kept: ${sorted(kept)}\nhere ${sorted(here)}\nafter ${done.join('\n')}`)
    return different
  } finally {
    nodeFs.rmSync(root, { recursive: true })
  }
}
