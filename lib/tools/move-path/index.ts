import * as z from 'zod/mini'
import { joinPath, nameOf, normalizePath } from '@/lib/vfs/path'
import type { VfsEntry } from '@/lib/vfs/vfs'
import { defineTool } from '../define-tool'
import { inTurn } from '../in-turn'
import { refuse, stoppedBefore } from '../refuse'
import type { CurrentItem } from '../tool'
import { failWith } from '../vfs-failure'

/** Why the target can't be taken, with the way out. */
function taken(to: string, from: string, kind: VfsEntry['kind']): string {
  if (kind === 'file') {
    return `There is already a file at ${to}, and moving never replaces one. Choose another name. Nothing was moved.`
  }
  const inside = joinPath(to, nameOf(from))
  return `There is already a folder at ${to}. To move it into that folder, give the whole path: ${inside}. Nothing was moved.`
}

function troubleAt(current: CurrentItem | null | undefined): string {
  if (current === null || current === undefined) return ''
  return `, where there is already a ${current.files === undefined ? 'file' : 'folder'}, so this would fail`
}

export const movePath = defineTool({
  name: 'move_path',
  description:
    'Moves or renames a file or a folder of this chat’s files. `to` is the whole new path. Creates folders as needed; ' +
    'never replaces what is there.',
  permission: 'moderate',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'MovePath',
  capabilities: { files: 'write', network: 'off' },
  schema: z.strictObject({ from: z.string(), to: z.string() }),
  parameters: {
    type: 'object',
    properties: {
      from: { type: 'string', description: 'absolute path of the file or folder' },
      to: { type: 'string', description: 'absolute path that it gets' },
    },
    required: ['from', 'to'],
    additionalProperties: false,
  },
  paths: ({ from, to }) => [from, to].filter((path) => typeof path === 'string'),
  summarize(args, current) {
    const from = typeof args.from === 'string' ? args.from : ''
    const to = typeof args.to === 'string' ? args.to : ''
    return {
      head: `${from} → ${to}`,
      headIsCode: true,
      sentence: ['Move ', { code: from }, ' to ', { code: to }, troubleAt(current)],
      dependsOn: to,
      body: { kind: 'none' },
    }
  },
  async run(args, { vfs, signal }) {
    const source = normalizePath(args.from)
    if (!source.ok) return failWith(source.error, vfs, 'file or folder')
    const target = normalizePath(args.to)
    if (!target.ok) return failWith(target.error, vfs, 'file or folder')
    const [from, to] = [source.value, target.value]
    return inTurn(vfs, async () => {
      const found = await vfs.stat(from)
      if (!found.ok) return failWith(found.error, vfs, 'file or folder')
      if (from === to) return refuse('EINVAL', `${from} is there already: \`from\` and \`to\` are the same path.`)
      const standing = await vfs.stat(to)
      if (standing.ok) return refuse('EEXIST', taken(to, from, standing.value.kind))
      if (standing.error.code !== 'ENOENT') return failWith(standing.error, vfs, 'file or folder')
      if (signal.aborted) return stoppedBefore()
      const moved = await vfs.move(from, to)
      if (!moved.ok) return failWith(moved.error, vfs, 'file or folder')
      return { ok: true, result: { from, to, kind: found.value.kind === 'file' ? 'file' : 'folder' } }
    })
  },
})
