/** Components that are drawn again only when what they are given is another thing. */

import { Component, type ComponentChildren, type FunctionComponent, h } from 'preact';

/** Items of a transcript keep their identity while they don't change: thousands of them cost nothing. */
export function still<Props extends object>(draw: (props: Props) => ComponentChildren): FunctionComponent<Props> {
  class Still extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const now: Readonly<Props> = this.props;
      return Object.entries(next).some(([key, value]) =>
        Object.entries(now).every(([k, v]) => k !== key || v !== value),
      );
    }
    override render(): ComponentChildren {
      return h(Inner, { ...this.props });
    }
  }
  const Inner = (props: Props) => h('div', { class: 'contents' }, draw(props));
  return (props) => h(Still, { ...props });
}
