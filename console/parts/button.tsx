import type { ButtonHTMLAttributes, ComponentChildren, TargetedMouseEvent } from 'preact'

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick'> {
  text: ComponentChildren
  act: (event: TargetedMouseEvent<HTMLButtonElement>) => unknown
}

/** A button that does something, and submits no form. */
export const Button = ({ text, act, ...rest }: ButtonProps) => (
  <button type="button" onClick={act} {...rest}>
    {text}
  </button>
)
