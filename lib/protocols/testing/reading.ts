import type { CallSegment, ParsedReply, Segment } from '../types/segment'
import type { ReadProblem, ReadSegment, Reading } from './corpus'

function problemOf({ problem }: CallSegment): ReadProblem | null {
  if (problem === null) return null
  switch (problem.code) {
    case 'unknown-tool':
      return { code: problem.code, nearest: problem.nearest }
    case 'invalid-arguments':
      return { code: problem.code, paths: problem.issues.map((issue) => issue.path) }
    default:
      return { code: problem.code }
  }
}

function segmentOf(segment: Segment, reply: string): ReadSegment {
  const text = reply.slice(segment.start, segment.end)
  switch (segment.kind) {
    case 'call':
      return {
        kind: 'call',
        text,
        id: segment.id,
        name: segment.name,
        arguments: structuredClone(segment.arguments),
        standing: segment.standing,
        verdict: segment.verdict,
        repairs: segment.repairs.toSorted(),
        coercions: segment.coercions.map((one) => `${one.path}:${one.kind}`).toSorted(),
        dialect: segment.dialect,
        problem: problemOf(segment),
      }
    case 'broken':
      return {
        kind: 'broken',
        text,
        reason: segment.reason,
        ...(segment.name === undefined ? {} : { name: segment.name }),
      }
    default:
      return { kind: segment.kind, text }
  }
}

/** The reading in the notation of the corpus. */
export const readingOf = (reply: ParsedReply, text: string): Reading => ({
  type: reply.type,
  segments: reply.segments.map((segment) => segmentOf(segment, text)),
})
