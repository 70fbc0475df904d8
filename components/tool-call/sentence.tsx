import type { SentencePart } from '@/lib/tools/tool'

/** A sentence with its paths and names in code type. */
export function Sentence({ parts }: { parts: readonly SentencePart[] }) {
  return (
    <p className="card-say card-sum">
      {parts.map((part, index) => (typeof part === 'string' ? part : <code key={index}>{part.code}</code>))}
    </p>
  )
}
