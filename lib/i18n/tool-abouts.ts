import { textOfKey } from '@/lib/i18n/t'

/** Null: no tool of ours. */
export const toolAbout = (name: string): string | null => textOfKey(`about.${name}`, {})

/** Null: not a parameter of a tool of ours, or one whose description is no words. */
export const parameterAbout = (tool: string, name: string): string | null => textOfKey(`about.${tool}.${name}`, {})
