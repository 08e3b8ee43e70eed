/** Makes `instanceof` recognize the instances that another copy of this package created. */
export function shareInstances(ours: { readonly prototype: object }, name: string): void {
  const brand = Symbol.for(`skillset.${name}`);
  Object.defineProperty(ours.prototype, brand, { value: true });
  Object.defineProperty(ours, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // Subclasses inherit this function, but not the meaning of the brand.
      if (this !== ours) return Function.prototype[Symbol.hasInstance].call(this as () => void, value);
      return typeof value === "object" && value !== null && brand in value;
    },
  });
}
