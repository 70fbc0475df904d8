import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { normalizePath } from '@/lib/vfs/path'
import { isJsonObject } from '@/lib/base/json'
import { defineTool } from '../define-tool'
import { pathArgument, textArgument, bytesIn } from '../argument-summaries'
import type { CallSummary, CurrentItem } from '../tool'

const isRoot = (path: string): boolean => {
  const normal = normalizePath(path)
  return normal.ok && normal.value === '/'
}

/** How much would be deleted, as far as known. */
function extentOf(path: string, current: CurrentItem | null | undefined) {
  const size = current?.size ?? 0
  const files = current?.files ?? 0
  if (isRoot(path)) return { what: 'root', size, files }
  if (!current) return { what: current === null ? 'nothing' : 'unknown', size, files }
  return { what: current.files === undefined ? 'file' : files === 0 ? 'empty' : 'files', size, files }
}

/** What would be deleted: the text of a file, the list of a folder. */
function bodyOf(path: string, current: CurrentItem | null | undefined): CallSummary['body'] {
  if (current === null || current === undefined) return { kind: 'none' }
  if (current.files !== undefined) {
    return {
      kind: 'paths',
      label: t('tool.would-go'),
      gone: true,
      entries: current.inside ?? [],
      total: current.files,
    }
  }
  return current.text === null || current.text === ''
    ? { kind: 'none' }
    : { kind: 'diff', path, before: current.text, after: '', whole: false }
}

export const deletePath = defineTool({
  spec: {
    name: 'delete_path',
    description: 'Deletes a file, or a folder with all that is in it, from this chat’s files.',
    vcpCommand: 'DeleteFile',
    vcpParameters: { filePath: 'path' },
    schema: z.strictObject({ path: z.string().check(z.describe('absolute path of the file or folder')) }),
  },
  policy: {
    permission: 'sensitive',
    agentCallable: true,
    capabilities: { files: 'write', network: 'off' },
    paths: pathArgument,
  },
  card: {
    icon: 'trash',
    tags: ['files'],
    showsFirst: 'change',
    summarize(args, look) {
      const path = textArgument(args, 'path')
      const current = isRoot(path) ? undefined : look?.(path)
      return {
        head: path,
        headIsCode: true,
        sentence: withParts((part) => t('tool.delete', { path: part({ code: path }), ...extentOf(path, current) })),
        dependsOn: [path],
        body: bodyOf(path, current),
      }
    },
    measure: (result) => (isJsonObject(result) ? bytesIn(result['deleted'] ?? null, 'bytes') : ''),
  },
  async run(args, context) {
    const { runDelete } = await loadPart(() => import('./run'))
    return runDelete(args, context)
  },
})
