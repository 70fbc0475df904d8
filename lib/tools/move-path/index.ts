import { plural } from '@/lib/base/locale'
import { loadPart } from '@/lib/base/load-part'
import * as z from 'zod/mini'
import { formatBytes } from '@/lib/base/format-bytes'
import { normalizePath } from '@/lib/vfs/path'
import { defineTool } from '../define-tool'
import type { CallSummary, CurrentItem } from '../tool'

/** What would move, and what stands in its way, as the rest of the sentence. */
function extentOf(source: CurrentItem | null | undefined, target: CurrentItem | null | undefined): string {
  if (source === null) return '. There is nothing of that name, so this would fail'
  if (target !== null && target !== undefined) {
    return `, where there is already a ${target.files === undefined ? 'file' : 'folder'}, so this would fail`
  }
  if (source === undefined) return ''
  const size = formatBytes(source.size)
  if (source.files === undefined) return `, a file of ${size}`
  if (source.files === 0) return ', a folder without files'
  return `, ${plural(source.files, { one: '1 file', other: `${source.files} files` })}, ${size}`
}

/** Where each file of a folder would go. */
function bodyOf(from: string, to: string, source: CurrentItem | null | undefined): CallSummary['body'] {
  const [root, target] = [normalizePath(from), normalizePath(to)]
  if (!root.ok || !target.ok || !source?.files) return { kind: 'none' }
  const entries = (source.inside ?? []).map(({ path, size }) => ({
    path,
    to: target.value + path.slice(root.value.length),
    size,
  }))
  return { kind: 'paths', label: 'Files that would move', gone: false, entries, total: source.files }
}

export const movePath = defineTool({
  name: 'move_path',
  description:
    'Moves or renames a file or a folder of this chat’s files. `to` is the whole new path. Creates folders as needed; ' +
    'never replaces what is there.',
  icon: 'right',
  permission: 'moderate',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'MoveFile',
  vcpParameters: { sourcePath: 'from', destinationPath: 'to' },
  capabilities: { files: 'write', network: 'off' },
  schema: z.strictObject({
    from: z.string().check(z.describe('absolute path of the file or folder')),
    to: z.string().check(z.describe('absolute path that it gets')),
  }),
  paths: ({ from, to }) => [from, to].filter((path) => typeof path === 'string'),
  showsFirst: 'change',
  summarize(args, look) {
    const from = typeof args.from === 'string' ? args.from : ''
    const to = typeof args.to === 'string' ? args.to : ''
    const source = look?.(from)
    return {
      head: `${from} → ${to}`,
      headIsCode: true,
      sentence: ['Move ', { code: from }, ' to ', { code: to }, extentOf(source, look?.(to))],
      dependsOn: [from, to],
      body: bodyOf(from, to, source),
    }
  },
  async run(args, context) {
    const { runMove } = await loadPart(() => import('./run'))
    return runMove(args, context)
  },
})
