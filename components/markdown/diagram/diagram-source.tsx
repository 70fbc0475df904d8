import { CodeFence } from '../code/code-fence'

export interface DiagramProps {
  /** Mermaid's language. */
  readonly source: string
}

/** The source of a diagram, until it is drawn and where it can't be. */
export const DiagramSource = ({ source }: DiagramProps) => (
  <CodeFence language="mermaid" meta={null} text={source} growing={false} />
)
