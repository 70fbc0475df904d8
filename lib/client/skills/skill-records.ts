import { createRowDatabase } from '@/lib/client/browser/row-database'
import type { SkillFile } from '@/lib/shared/skills/skill'

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
const mostOfName = 5
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
  const byAge = (rows: readonly StoredSkill[]) => rows.toSorted((a, b) => b.at - a.at)
  const approved = async () => byAge(await ask<StoredSkill[]>(APPROVED, 'readonly', (rows) => rows.getAll()))

  return {
    approved,
    async approve(skill) {
      await ask(APPROVED, 'readwrite', (rows) => rows.put(skill))
      const old = (await approved()).filter((one) => one.name === skill.name).slice(mostOfName)
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
