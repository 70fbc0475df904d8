import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { normalizePath } from '@/lib/vfs/path'
import { defineTool } from '../define-tool'
import { textArgument } from '../argument-summaries'
import type { CallSummary, CurrentItem } from '../tool'

/** What would move, and what is in its way. */
function extentOf(source: CurrentItem | null | undefined, target: CurrentItem | null | undefined) {
  const size = source?.size ?? 0
  const files = source?.files ?? 0
  if (source === null) return { what: 'nothing', size, files }
  if (target) return { what: target.files === undefined ? 'on_file' : 'on_folder', size, files }
  if (source === undefined) return { what: 'unknown', size, files }
  return { what: source.files === undefined ? 'file' : files === 0 ? 'empty' : 'files', size, files }
}

/** The new path of each file of a folder. */
function bodyOf(from: string, to: string, source: CurrentItem | null | undefined): CallSummary['body'] {
  const [root, target] = [normalizePath(from), normalizePath(to)]
  if (!root.ok || !target.ok || !source?.files) return { kind: 'none' }
  const entries = (source.inside ?? []).map(({ path, size }) => ({
    path,
    to: target.value + path.slice(root.value.length),
    size,
  }))
  return { kind: 'paths', label: t('tool.would-move'), gone: false, entries, total: source.files }
}

export const movePath = defineTool({
  spec: {
    name: 'move_path',
    description:
      'Moves or renames a file or a folder of this chat’s files. `to` is the whole new path. Creates folders as needed; ' +
      'never replaces what is there.',
    vcpCommand: 'MoveFile',
    vcpParameters: { sourcePath: 'from', destinationPath: 'to' },
    schema: z.strictObject({
      from: z.string().check(z.describe('absolute path of the file or folder')),
      to: z.string().check(z.describe('absolute path that it gets')),
    }),
  },
  policy: {
    permission: 'moderate',
    agentCallable: true,
    capabilities: { files: 'write', network: 'off' },
    paths: ({ from, to }) => [from, to].filter((path) => typeof path === 'string'),
  },
  card: {
    icon: 'right',
    tags: ['files'],
    showsFirst: 'change',
    summarize(args, look) {
      const from = textArgument(args, 'from')
      const to = textArgument(args, 'to')
      const source = look?.(from)
      return {
        head: `${from} → ${to}`,
        headIsCode: true,
        sentence: withParts((part) =>
          t('tool.move', {
            from: part({ code: from }),
            to: part({ code: to }),
            ...extentOf(source, look?.(to)),
          }),
        ),
        dependsOn: [from, to],
        body: bodyOf(from, to, source),
      }
    },
  },
  async run(args, context) {
    const { runMove } = await loadPart(() => import('./run'))
    return runMove(args, context)
  },
})
