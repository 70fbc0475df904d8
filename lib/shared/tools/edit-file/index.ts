import { encodingLabels, encodingNames } from '@/lib/base/text/encoding-names'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { defineTool } from '../define-tool'
import { pathArgument, textArgument, countIn } from '../argument-summaries'
import type { CallSummary, CurrentItem } from '../tool'
import { applyEdits, type TextEdit, problemForUser } from './apply-edits'

const maxEdits = 100

/** The edits of a call whose arguments may be anything; null if they are no list of edits. */
function editsIn({ edits }: JsonObject): readonly TextEdit[] | null {
  if (!Array.isArray(edits) || edits.length === 0) return null
  const read = (edits as readonly JsonValue[]).flatMap((edit) => {
    if (!isJsonObject(edit)) return []
    const { search, replace } = edit
    return typeof search === 'string' && search !== '' && typeof replace === 'string' ? [{ search, replace }] : []
  })
  return read.length === edits.length ? read : null
}

/** What the file would become; as long as that is unknown, only the edited passages. */
function bodyOf(path: string, edits: readonly TextEdit[], before: string | null): CallSummary['body'] {
  const edited = before === null ? null : applyEdits(before, edits)
  if (before !== null && edited?.ok) return { kind: 'diff', path, before, after: edited.value.text, whole: true }
  const passages = (side: keyof TextEdit) => edits.map((edit) => edit[side]).join('\n…\n')
  return { kind: 'diff', path, before: passages('search'), after: passages('replace'), whole: false }
}

/** The file's new encoding, if it was not UTF-8 before. */
function encodingIn(result: JsonValue) {
  const named = isJsonObject(result) ? encodingNames.find((name) => name === result['encoding']) : undefined
  const now = named === undefined ? 'same' : named === 'utf-8' ? 'utf8' : 'kept'
  return { now, encoding: encodingLabels[named ?? 'utf-8'] }
}

/** Why the call would fail on the current content. */
function troubleWith(edits: readonly TextEdit[], current: CurrentItem | null | undefined) {
  const none = { trouble: 'none', why: '' }
  if (current === undefined) return none
  if (current === null) return { ...none, trouble: 'missing' }
  if (current.files !== undefined) return { ...none, trouble: 'folder' }
  if (current.text === null) return none
  const edited = applyEdits(current.text, edits)
  return edited.ok ? none : { trouble: 'edits', why: problemForUser(edited.error, edits.length) }
}

export const editFile = defineTool({
  spec: {
    name: 'edit_file',
    description:
      'Changes passages of a text file of this chat’s files. Each `search` is copied exactly from the file and must occur ' +
      'once; `replace` takes its place. All edits apply in order, or none.',
    vcpCommand: 'EditFile',
    vcpParameters: { filePath: 'path' },
    schema: z.strictObject({
      path: z.string().check(z.describe('absolute path of the file')),
      edits: z
        .array(
          z.strictObject({
            search: z.string().check(z.minLength(1), z.describe('exact text that occurs once, whole lines')),
            replace: z.string().check(z.describe('what takes its place')),
          }),
        )
        .check(z.minLength(1), z.maxLength(maxEdits)),
    }),
  },
  policy: {
    permission: 'moderate',
    agentCallable: true,
    capabilities: { files: 'write', network: 'off' },
    paths: pathArgument,
  },
  card: {
    icon: 'edit',
    tags: ['files'],
    showsFirst: 'change',
    summarize(args, look) {
      const path = textArgument(args, 'path')
      const edits = editsIn(args)
      const current = look?.(path)
      const head = { head: path, headIsCode: true }
      if (edits === null)
        return {
          ...head,
          sentence: withParts((part) => t('tool.edit', { path: part({ code: path }) })),
          body: { kind: 'arguments' },
        }
      return {
        ...head,
        sentence: withParts((part) =>
          t('tool.edit-changes', {
            path: part({ code: path }),
            count: edits.length,
            ...troubleWith(edits, current),
          }),
        ),
        dependsOn: [path],
        opens: path,
        body: bodyOf(path, edits, current?.text ?? null),
      }
    },
    measure: (result) => countIn(result, 'edits', (count) => t('tool.edits', { count, ...encodingIn(result) })),
    async argumentsFor(args, { before, after }) {
      const { editsBetween } = await loadPart(() => import('./edits-between'))
      return { ...args, edits: await editsBetween(before, after) }
    },
  },
  async run(args, context) {
    const { runEdit } = await loadPart(() => import('./run'))
    return runEdit(args, context)
  },
})
