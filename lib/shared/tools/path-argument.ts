import type { JsonObject } from '@/lib/base/json'

/** The paths of a call whose tool takes one, as the argument `path`. */
export const pathArgument = ({ path }: JsonObject): readonly string[] => (typeof path === 'string' ? [path] : [])
