import type { JsonObject } from '@/lib/base/json'

/** The paths of a call whose tool takes one, as the argument `path`. */
export const pathArgument = ({ path }: JsonObject): readonly string[] => (typeof path === 'string' ? [path] : [])

/** A text argument, for a card: what a model wrote may be anything. */
export const textArgument = (args: JsonObject, name: string): string => {
  const value = args[name]
  return typeof value === 'string' ? value : ''
}
