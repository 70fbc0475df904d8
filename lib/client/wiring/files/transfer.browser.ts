import { err, ok, type Result } from '@/lib/base/result'
import { wallClock } from '@/lib/base/clocks'
import { sortInParts } from '@/lib/client/api/deletions'
import type { NodApi } from '@/lib/client/api/nod-api'
import { packChat, UnreadableFile, type PackedMember } from '@/lib/client/files/chat-zip/pack-chat'
import { packProject, unpackProject, type UnpackedProject } from '@/lib/client/files/chat-zip/project-zip'
import { placeImported, unpackChat } from '@/lib/client/files/chat-zip/unpack-chat'
import { createZip } from '@/lib/client/files/zip/create-zip'
import { readZip } from '@/lib/client/files/zip/read-zip'
import type { WrittenRecord } from '@/lib/client/export/record/write-record'
import { knownValues } from '@/lib/client/secrets/vault'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import type { Project } from '@/lib/shared/conversation/settings/project'
import { writeProjectFile } from '@/lib/shared/conversation/settings/preset-and-project-files'
import type { Vfs } from '@/lib/vfs/vfs'
import { findApi } from '../find-api.browser'
import { nodApi } from '../nod-api.browser'
import { localProjects, projectApi } from '../projects.browser'
import { vaultOf } from '../secrets.browser'
import { toolRuntimes } from '../tool-runtimes.browser'
import { filesOfProject, placeProjectFiles } from './project-files.browser'

interface PackedChat {
  readonly title: string
  readonly zip: Blob
  readonly record: WrittenRecord | null
}

interface ChatWork {
  readonly signal: AbortSignal
  readonly onProgress: (done: number, of: number) => void
  readonly api?: Pick<NodApi, 'exportChat'>
  readonly vfs?: Vfs
}

/** A chat with its log and its files as one zip. Rejects with `UnreadableFile`, or with the signal's reason. */
export async function packWholeChat(
  id: string,
  { signal, onProgress, api = nodApi, vfs: given }: ChatWork,
): Promise<Result<PackedChat, string>> {
  const exported = await api.exportChat(id, signal)
  if (!exported.ok) return err(exported.error.message)
  const vfs = given ?? (await toolRuntimes.get(id)).vfs
  const { recordOf } = await loadPart(() => import('../record.browser'))
  const known = knownValues(await vaultOf(id).list())
  let made: WrittenRecord | null = null
  const record = async (members: readonly PackedMember[]) => (made = await recordOf(exported.value, vfs, members)).bytes
  const hide = (text: string) => known.replace(text)
  const zip = await packChat(exported.value, { vfs, createZip, signal, onProgress, record, hide })
  return ok({ title: exported.value.conversation.title, zip, record: made })
}

type Progress = Pick<ChatWork, 'signal'> & {
  /** Counts chats. */
  readonly onProgress: (done: number, of: number) => void
}

/** A project with its chats and shared files as one zip. */
export async function packWholeProject(
  { id, name, instructions, setup }: Project,
  { signal, onProgress }: Progress,
): Promise<Result<Blob, string>> {
  const memory = await projectApi.memory({ project: id })
  if (!memory.ok) return err(memory.error.message)
  const chats = await chatsOfProject(id, signal)
  if (!chats.ok) return chats
  const files = await filesOfProject(id)
  if (!files.ok) return err(files.error.message)
  const text = writeProjectFile({ name, instructions, setup }, memory.value.text)
  const packOne = async (chatId: string) => {
    const packed = await packWholeChat(chatId, { signal, onProgress: () => {} })
    if (!packed.ok) throw new UnreadableFile(packed.error)
    return packed.value.zip
  }
  const ports = { createZip, packChat: packOne, signal, now: wallClock(), onProgress }
  try {
    return ok(await packProject({ text, files: files.value, chats: chats.value }, ports))
  } catch (error) {
    if (error instanceof UnreadableFile) return err(error.message)
    throw error
  }
}

/** All chats of a project, including archived ones. */
export async function chatsOfProject(project: string, signal: AbortSignal): Promise<Result<readonly string[], string>> {
  const ids = new Set<string>()
  for (const filter of [{ project }, { project, archived: true as const }]) {
    let after: string | null = null
    do {
      const answer: Awaited<ReturnType<typeof findApi.chats>> = await findApi.chats('', filter, after, signal)
      if (!answer.ok) return err(answer.error.message)
      for (const { id } of answer.value.conversations) ids.add(id)
      after = answer.value.next ?? null
    } while (after !== null)
  }
  return ok([...ids])
}

/**
 * Adds a project from its file. Resolves with what was left out, each a sentence, or with why nothing was added. A chat
 * comes with the settings of new chats: nothing in it runs by itself.
 */
export async function takeProject(
  id: string,
  file: Blob,
  { signal, onProgress }: Progress,
): Promise<Result<readonly string[], string>> {
  const read = await unpackProject(file, { readZip, signal })
  if (!read.ok) return read
  const { project, files, chats, skipped } = read.value
  const projects = localProjects()
  if (!(await projects.add({ ...project, id }))) return err(projects.getState().problem ?? t('projects.import-bad'))
  const left = [...skipped]
  const why = await placeProjectFiles(id, files)
  if (why !== null) left.push(t('projects.files-left', { why }))
  left.push(...(await takeChats(id, chats, { signal, onProgress })))
  await projects.load()
  return ok(left)
}

async function takeChats(
  project: string,
  chats: UnpackedProject['chats'],
  { signal, onProgress }: Progress,
): Promise<readonly string[]> {
  const left: string[] = []
  const taken: string[] = []
  for (const [index, blob] of chats.entries()) {
    if (signal.aborted) break
    onProgress(index, chats.length)
    const unpacked = await unpackChat(blob, { readZip, signal, onProgress: () => {} })
    const number = index + 1
    if (!unpacked.ok) {
      left.push(t('projects.chat-left', { number, why: unpacked.error }))
      continue
    }
    const imported = await nodApi.importChat(crypto.randomUUID(), unpacked.value.exported, [], signal)
    if (!imported.ok) {
      left.push(t('projects.chat-left', { number, why: imported.error.message }))
      continue
    }
    const { id } = imported.value
    taken.push(id)
    const why = await toolRuntimes.get(id).then(({ vfs }) => placeImported(vfs, unpacked.value))
    if (why !== null) left.push(t('import.without-files', { why }))
    left.push(...unpacked.value.skipped)
  }
  const { problem } = await sortInParts(nodApi, taken, { project })
  return problem ? [...left, problem.message] : left
}
