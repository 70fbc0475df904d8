import { textOfKey, type KeyOf } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'

export type LabReason = KeyOf<'lab.why'>

/** A reason with its values, as it is stored; its sentence is made when it is shown. */
export interface LabWhy {
  readonly reason: string
  readonly values: JsonObject
}

export const labWhy = (reason: LabReason, values: JsonObject = {}): LabWhy => ({ reason, values })

export const labWhySentence = ({ reason, values }: LabWhy): string => textOfKey(reason, values) ?? reason

export type NoProbe =
  | 'no-object'
  | 'no-id'
  | 'no-question'
  | 'no-tool'
  | 'tool-without-name'
  | 'parameter-name'
  | 'wild-schema'
  | 'too-deep'
