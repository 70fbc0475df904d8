import { CodeFence } from '../code/code-fence'

export interface DiagramProps {
  /** Mermaid source. */
  readonly source: string
}

/** A diagram's source, shown until it is drawn or if it can't be. */
export const DiagramSource = ({ source }: DiagramProps) => (
  <CodeFence language="mermaid" meta={null} text={source} growing={false} />
)
