import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

/** Hears each part when it is made, and says whether it goes on. */
export type PartFilter = (part: LanguageModelV4StreamPart) => boolean

type Parts = ReadableStream<LanguageModelV4StreamPart>

const takers = new WeakMap<Parts, (filter: PartFilter) => boolean>()

/** For who makes a stream: `take` is given a filter for all that is to go into it, and says whether it is in time. */
export const offerFilter = (parts: Parts, take: (filter: PartFilter) => boolean): void => {
  takers.set(parts, take)
}

/**
 * Filters a stream where its parts are made, so that those that do not go on never pass it. False: this stream cannot, or
 * has begun; whoever reads it has to filter.
 */
export const filterAtSource = (parts: Parts, filter: PartFilter): boolean => takers.get(parts)?.(filter) ?? false
