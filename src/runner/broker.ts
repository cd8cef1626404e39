/** How a program is pointed at a model endpoint of ours, so that it never holds the key. Names only. */

export interface Brokered {
  /** The variable with the vendor's key; inside it holds a token that counts for one turn. */
  key: string;
  /** The variable with the vendor's address; inside it names our endpoint. */
  address: string;
  /** The vendor's own address, where the variable is not set; null: there is none. */
  vendor: string | null;
}
