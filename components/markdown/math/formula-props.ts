export interface FormulaProps {
  /** LaTeX, without its marks. */
  readonly tex: string
  /** With its marks, as it was written: what is copied, and shown where it can't be drawn. */
  readonly written: string
  readonly display: boolean
}
