import { t } from '@/lib/i18n/t'
import { err, ok, type Result } from '@/lib/base/result'
import type { ProjectToAdd } from '@/lib/shared/conversation/settings/project'
import { maxProjectFileBytes, readProjectFile } from '@/lib/shared/conversation/settings/preset-and-project-files'
import type { IncomingFile } from '../place-files'
import type { createZip, ZipMember } from '../zip/create-zip'
import type { readZip, ZipLimits } from '../zip/read-zip'
import { names } from './pack-chat'
import { chatZipLimits } from './unpack-chat'

/*
 * A project as a zip:
 *
 *   project.json            name, instructions, settings and memory
 *   files/…                 its shared files
 *   chats/001.nod.zip       each chat, as it is exported alone
 */

const projectNames = { project: 'project.json', files: names.files, chats: 'chats/' } as const

/** More chats than this are refused. */
const maxChatsOfFile = 1_000

/** Each chat has its own limits when it is read. */
const projectZipLimits: ZipLimits = {
  ...chatZipLimits,
  maxFileBytes: chatZipLimits.maxTotalBytes,
  maxTotalBytes: 2_000_000_000,
}

interface PackProjectPorts {
  readonly createZip: typeof createZip
  readonly packChat: (id: string) => Promise<Blob>
  readonly signal: AbortSignal
  readonly now: number
  readonly onProgress: (done: number, of: number) => void
}

/** Rejects if one of its chats can't be packed: an incomplete export must not look complete. */
export function packProject(
  {
    text,
    files,
    chats,
  }: { readonly text: string; readonly files: readonly IncomingFile[]; readonly chats: readonly string[] },
  { createZip: write, packChat, signal, now: modifiedAt, onProgress }: PackProjectPorts,
): Promise<Blob> {
  function* members(): Generator<ZipMember> {
    const member = (path: string, read: ZipMember['read']): ZipMember => ({ path, modifiedAt, read })
    yield member(projectNames.project, () => Promise.resolve(new TextEncoder().encode(text)))
    for (const { path, data } of files) yield member(projectNames.files + path, () => Promise.resolve(data))
    for (const [index, id] of chats.entries()) {
      yield member(`${projectNames.chats}${String(index + 1).padStart(3, '0')}.nod.zip`, async () => {
        onProgress(index, chats.length)
        return new Uint8Array(await (await packChat(id)).arrayBuffer())
      })
    }
  }
  return write(members(), { signal })
}

export interface UnpackedProject {
  readonly project: Omit<ProjectToAdd, 'id'>
  readonly files: readonly IncomingFile[]
  /** Each as the file that a chat is imported from. */
  readonly chats: readonly Blob[]
  /** What was left out, each a sentence. */
  readonly skipped: readonly string[]
}

/** Reads the zip of a project, or its settings alone as JSON. Rejects only with the signal's reason. */
export async function unpackProject(
  blob: Blob,
  ports: { readonly readZip: typeof readZip; readonly signal: AbortSignal },
): Promise<Result<UnpackedProject, string>> {
  const isZip = (await blob.slice(0, 2).text()) === 'PK'
  if (!isZip) {
    const project = blob.size > maxProjectFileBytes ? null : readProjectFile(await blob.text())
    return project ? ok({ project, files: [], chats: [], skipped: [] }) : err(t('projects.import-bad'))
  }
  const read = await ports.readZip(blob, projectZipLimits, { signal: ports.signal })
  if (!read.ok) return err(read.error.message)
  const { files, skipped } = read.value
  const settings = files.find(({ path }) => path === projectNames.project)
  const project = settings ? readProjectFile(new TextDecoder().decode(settings.data)) : null
  const within = (folder: string) =>
    files.flatMap(({ path, data }) =>
      path.startsWith(folder) && path.length > folder.length ? [{ path: path.slice(folder.length), data }] : [],
    )
  const chats = within(projectNames.chats).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  if (!project || chats.length > maxChatsOfFile) return err(t('projects.import-bad'))
  return ok({
    project,
    files: within(projectNames.files),
    chats: chats.map(({ data }) => new Blob([new Uint8Array(data)])),
    skipped: skipped.map(({ name, why }) => t('zip.left-out', { name, why })),
  })
}
