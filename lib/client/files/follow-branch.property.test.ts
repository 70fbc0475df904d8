import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryVfs } from '@/lib/vfs/memory/memory-vfs'
import type { Vfs } from '@/lib/vfs/vfs'
import { createBranchFollower, type ShownBranch } from './follow-branch'

// Random walks over a growing tree of replies, each of whose calls change files at random. Whenever a walk returns to a
// reply, the files are byte for byte as they were when it left.

type Step =
  | { readonly kind: 'grow'; readonly from: number }
  | { readonly kind: 'go'; readonly to: number }
  | {
      readonly kind: 'run'
      readonly op: 'write' | 'remove' | 'move' | 'folder'
      readonly a: number
      readonly b: number
      readonly data: Uint8Array
    }

const paths = ['/a', '/b', '/d/a', '/d/b', '/d/e/a', '/e', '/d'] as const
const pick = (at: number) => paths[at % paths.length] ?? '/a'
const index = fc.nat({ max: 30 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('grow' as const), from: index }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('go' as const), to: index }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      op: fc.constantFrom('write' as const, 'write' as const, 'remove' as const, 'move' as const, 'folder' as const),
      a: index,
      b: index,
      data: fc.uint8Array({ maxLength: 3 }),
    }),
  },
)

async function snapshot(vfs: Vfs): Promise<Readonly<Record<string, string>>> {
  const tree = await vfs.tree('/')
  if (!tree.ok) throw new Error(tree.error.message)
  const all: Record<string, string> = {}
  for (const { path, kind } of tree.value) {
    const read = kind === 'file' ? await vfs.read(path) : null
    all[path] = read?.ok ? read.value.join(',') : 'folder'
  }
  return all
}

test('restores a reply’s files however one returns to it', async () => {
  const walked = await fc.check(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const vfs = createMemoryVfs()
      const parents: number[] = [-1]
      const left = new Map<number, Readonly<Record<string, string>>>()
      let head = 0
      const pathOf = (at: number): readonly string[] => {
        const ids: string[] = []
        for (let one = at; one >= 0; one = parents[one] ?? -1) ids.push(`m${one}`)
        return ids.toReversed()
      }
      const shown = (): ShownBranch => ({
        conversationId: 'c',
        path: pathOf(head),
        knows: () => true,
        hasRun: true,
        settled: true,
      })
      const follower = createBranchFollower({
        shown,
        pathTo: (_, id) => pathOf(Number(id.slice(1))),
        isVisible: () => true,
        files: () => Promise.resolve(vfs),
        runningCall: () => Promise.resolve(null),
        whenFree: () => Promise.resolve(),
      })
      const goTo = async (next: number) => {
        left.set(head, await snapshot(vfs))
        head = next
        follower.look()
        await follower.settled()
        const known = left.get(head)
        if (known) expect(await snapshot(vfs)).toEqual(known)
      }
      for (const one of steps) {
        if (one.kind === 'go') await goTo(one.to % parents.length)
        else if (one.kind === 'grow') {
          const parent = one.from % parents.length
          await goTo(parent)
          parents.push(parent)
          await goTo(parents.length - 1)
        } else {
          // A reply's calls run only while it is the last one: files above an older reply no longer change.
          if (parents.includes(head)) continue
          const ended = await follower.beforeRun('c', `m${head}`)
          const files = vfs.recording({ kind: 'call', messageId: `m${head}`, slot: 0, attempt: 1, tool: 't' })
          if (one.op === 'write') await files.write(pick(one.a), one.data)
          else if (one.op === 'remove') await files.remove(pick(one.a))
          else if (one.op === 'folder') await files.makeDirectory(pick(one.a))
          else await files.move(pick(one.a), pick(one.b))
          ended()
          await follower.settled()
        }
      }
    }),
    { numRuns: 150 },
  )
  expect(walked.failed ? fc.defaultReportMessage(walked) : null).toBeNull()
})
