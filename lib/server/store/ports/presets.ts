import type { Preset, PresetChange, PresetToAdd, ChatSetup } from '@/lib/shared/conversation/settings/preset'

/** What an owner keeps for chats to come. */
export interface PresetStore {
  /** In their order. */
  listPresets(owner: string): Promise<readonly Preset[]>
  /** The same id again changes nothing and gives what stands. Rejects with AppError `bad-request` where there would be too many, or too much. */
  addPreset(owner: string, preset: PresetToAdd): Promise<Preset>
  /** Null: there is none of this id. Rejects as `addPreset`. */
  changePreset(owner: string, id: string, change: PresetChange): Promise<Preset | null>
  removePreset(owner: string, id: string): Promise<void>
  /** Those that are named come first, in this order; the others stay behind them in theirs. */
  orderPresets(owner: string, ids: readonly string[]): Promise<readonly Preset[]>
  /** What new chats begin with; null: nothing was chosen, or it can't be read. */
  loadDefaults(owner: string): Promise<ChatSetup | null>
  /** Null: nothing is chosen any more. */
  saveDefaults(owner: string, setup: ChatSetup | null): Promise<void>
}
