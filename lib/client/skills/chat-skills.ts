import { createRowDatabase } from '@/lib/client/browser/row-database'
import {
  type SkillFile,
  isSkill,
  isTooLarge,
  readSkill,
  type Skill,
  type SkillFlaw,
  skillHash,
} from '@/lib/shared/skills/skill'
import { ok } from '@/lib/base/result'
import { t } from '@/lib/i18n/t'
import { skillLimits, type SkillLine } from '@/lib/protocols/prompt/skill-lines'
import { skillsFolder } from '@/lib/shared/skills/skill-path'
import { joinPath } from '@/lib/vfs/path'
import type { FileChange, ReadableVfs, Vfs, VfsTreeEntry } from '@/lib/vfs/vfs'
import type { VfsResult } from '@/lib/vfs/vfs-result'

/*
 * A browser's data about skills beside the files of chats: approved texts, a shelf for new chats, and the skills that
 * are turned off in a chat. Approvals are the user's and stay here: no chat, export or share link contains one.
 */

export interface StoredSkill {
  readonly name: string
  /** `skillHash` of the files. */
  readonly hash: string
  readonly files: readonly SkillFile[]
  /** Epoch milliseconds. */
  readonly at: number
}

export interface SkillRecords {
  /** Approved texts, newest first. */
  approved(): Promise<readonly StoredSkill[]>
  approve(skill: StoredSkill): Promise<void>
  shelf(): Promise<readonly StoredSkill[]>
  keep(skill: StoredSkill): Promise<void>
  takeOff(name: string): Promise<void>
  off(chatId: string): Promise<readonly string[]>
  setOff(chatId: string, names: readonly string[]): Promise<void>
}

/** The most approved texts of one name that are kept: another chat may have an older one. */
const maxPerName = 5
const APPROVED = 'approved'
const SHELF = 'shelf'
const OFF = 'off'

/** Opens the database on first use; every method rejects with the browser's reason. */
export function createSkillRecords(factory: () => IDBFactory, name: string): SkillRecords {
  const ask = createRowDatabase(factory, name, {
    [APPROVED]: ['name', 'hash'],
    [SHELF]: 'name',
    [OFF]: 'chatId',
  })
  const storedAt = ({ at }: StoredSkill) => at
  const byAge = (rows: readonly StoredSkill[]) => rows.toSorted((a, b) => storedAt(b) - storedAt(a))
  const approved = async () => byAge(await ask<StoredSkill[]>(APPROVED, 'readonly', (rows) => rows.getAll()))

  return {
    approved,
    async approve(skill) {
      await ask(APPROVED, 'readwrite', (rows) => rows.put(skill))
      const old = (await approved()).filter((one) => one.name === skill.name).slice(maxPerName)
      for (const one of old) await ask(APPROVED, 'readwrite', (rows) => rows.delete([one.name, one.hash]))
    },
    shelf: async () => byAge(await ask<StoredSkill[]>(SHELF, 'readonly', (rows) => rows.getAll())),
    async keep(skill) {
      await ask(SHELF, 'readwrite', (rows) => rows.put(skill))
    },
    async takeOff(skillName) {
      await ask(SHELF, 'readwrite', (rows) => rows.delete(skillName))
    },
    async off(chatId) {
      const row = await ask<{ names: readonly string[] } | undefined>(OFF, 'readonly', (rows) => rows.get(chatId))
      return row?.names ?? []
    },
    async setOff(chatId, names) {
      await ask(OFF, 'readwrite', (rows) => rows.put({ chatId, names: [...names] }))
    },
  }
}

/*
 * The skills of a chat: folders of its files, checked against what the user approved. A folder whose hash was not
 * approved is offered to no model, no matter who changed it: the user, a call, or a server that it came from.
 */

export interface ChatSkill {
  /** The name of its folder. */
  readonly name: string
  readonly read: Skill | SkillFlaw
  readonly hash: string
  readonly files: readonly SkillFile[]
  /** `new`: no text of this name was ever approved; `changed`: another text was. */
  readonly state: 'approved' | 'new' | 'changed' | 'flawed'
  /** The last approved text of this name; null: none. */
  readonly before: StoredSkill | null
  readonly isOff: boolean
  /** New chats get it, in this version. */
  readonly isOnShelf: boolean
}

/** The most folders of one chat that are checked. */
const maxSkills = skillLimits.offered

interface SkillPorts {
  readonly records: SkillRecords
  /** The files of a chat. With `copyId`: those of the copy that it works on. */
  readonly filesOf: (chatId: string, copyId?: string) => Promise<Vfs>
  readonly now: () => number
  /** Called when a page or the next prompt may show something else. */
  readonly changed: () => void
}

export function createChatSkills({ records, filesOf, now, changed }: SkillPorts) {
  /** Chats that got the stored skills from this page. */
  const started = new Set<string>()

  async function all(chatId: string, copyId?: string): Promise<VfsResult<readonly ChatSkill[]>> {
    const vfs = await filesOf(chatId, copyId)
    const folders = await foldersIn(vfs)
    if (!folders.ok) return folders
    if (folders.value.length === 0) return ok([])
    const [approved, shelf, off] = await Promise.all([records.approved(), records.shelf(), records.off(chatId)])
    const skills = folders.value.map(({ name, files, hash }): ChatSkill => {
      const read: Skill | SkillFlaw = files === null ? { kind: 'too-large' } : readSkill(name, files)
      const before = approved.find((one) => one.name === name) ?? null
      const isApproved = approved.some((one) => one.name === name && one.hash === hash)
      return {
        name,
        read,
        hash,
        files: files ?? [],
        state: !isSkill(read) ? 'flawed' : isApproved ? 'approved' : before ? 'changed' : 'new',
        before,
        isOff: off.includes(name),
        isOnShelf: shelf.some((one) => one.name === name && one.hash === hash),
      }
    })
    return ok(skills)
  }

  async function put(chatId: string, name: string, files: readonly SkillFile[]): Promise<string | null> {
    const vfs = (await filesOf(chatId)).recording({ kind: 'user', action: 'uploaded', messageId: null })
    const folder = joinPath(skillsFolder, name)
    const there = await vfs.stat(folder)
    const done = await vfs.apply([
      ...(there.ok ? [{ kind: 'remove', path: folder } as const] : []),
      ...files.map(({ path, data }): FileChange => ({ kind: 'write', path: joinPath(folder, path), data })),
    ])
    changed()
    return done.ok ? null : done.error.message
  }

  const find = async (chatId: string, name: string): Promise<ChatSkill | undefined> => {
    const found = await all(chatId)
    return found.ok ? found.value.find((one) => one.name === name) : undefined
  }

  return {
    all,
    /** The skills that the model gets: approved, on, unchanged. */
    async lines(chatId: string, copyId?: string): Promise<readonly SkillLine[]> {
      const found = await all(chatId, copyId)
      if (!found.ok) return []
      return found.value.flatMap(({ name, read, state, isOff }) =>
        state === 'approved' && !isOff && isSkill(read) ? [{ name, description: read.line }] : [],
      )
    },
    /** `hash`: of the text that was viewed. Returns a sentence if the text has changed since. */
    async approve(chatId: string, name: string, hash: string): Promise<string | null> {
      const skill = await find(chatId, name)
      if (!skill || skill.hash !== hash) return t('skills.changed-meanwhile')
      await records.approve({ name, hash, files: skill.files, at: now() })
      changed()
      return null
    },
    async setOff(chatId: string, name: string, isOff: boolean): Promise<void> {
      const off = new Set(await records.off(chatId))
      if (isOff) off.add(name)
      else off.delete(name)
      await records.setOff(chatId, [...off])
      changed()
    },
    /** Puts a skill into a chat, replacing one of its name. Returns a sentence if there is no space. */
    put,
    async remove(chatId: string, name: string): Promise<string | null> {
      const vfs = (await filesOf(chatId)).recording({ kind: 'user', action: 'deleted', messageId: null })
      const done = await vfs.remove(joinPath(skillsFolder, name))
      changed()
      return done.ok ? null : done.error.message
    },
    shelf: () => records.shelf(),
    /** New chats get this skill, in its current version. */
    async keep(chatId: string, name: string): Promise<void> {
      const skill = await find(chatId, name)
      if (skill) await records.keep({ name, hash: skill.hash, files: skill.files, at: now() })
      changed()
    },
    async takeOff(name: string): Promise<void> {
      await records.takeOff(name)
      changed()
    },
    /** Copies the shelf into a new chat, once. Existing skills of the same name stay. */
    async begin(chatId: string): Promise<void> {
      if (started.has(chatId)) return
      started.add(chatId)
      const shelf = await records.shelf()
      if (shelf.length === 0) return
      const found = await all(chatId)
      const there = new Set(found.ok ? found.value.map(({ name }) => name) : [])
      for (const { name, files } of shelf) if (!there.has(name)) await put(chatId, name, files)
    },
  }
}

export type ChatSkills = ReturnType<typeof createChatSkills>

interface Folder {
  readonly name: string
  /** Null: too large for a skill. */
  readonly files: readonly SkillFile[] | null
  readonly hash: string
}

async function foldersIn(vfs: ReadableVfs): Promise<VfsResult<readonly Folder[]>> {
  const tree = await vfs.tree(skillsFolder)
  if (!tree.ok) return tree.error.code === 'ENOENT' || tree.error.code === 'ENOTDIR' ? ok([]) : tree
  const byName = new Map<string, VfsTreeEntry[]>()
  for (const entry of tree.value) {
    const [name = '', inner] = entry.path.slice(skillsFolder.length + 1).split('/', 2)
    if (entry.kind === 'directory' || inner === undefined) continue
    byName.set(name, [...(byName.get(name) ?? []), entry])
  }
  const folders: Folder[] = []
  for (const [name, entries] of [...byName].slice(0, maxSkills)) {
    if (isTooLarge(entries.map(({ size }) => size))) {
      folders.push({ name, files: null, hash: '' })
      continue
    }
    const files: SkillFile[] = []
    for (const { path } of entries) {
      const read = await vfs.read(path)
      if (!read.ok) return read
      files.push({ path: path.slice(skillsFolder.length + name.length + 2), data: read.value })
    }
    folders.push({ name, files, hash: await skillHash(files) })
  }
  return ok(folders)
}
