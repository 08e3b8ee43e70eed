/** Why only the policy `lenient` loads a skill. */
export function Tolerated({ reasons }: { readonly reasons: readonly string[] }) {
  return (
    <section aria-labelledby="tolerated-title" className="tolerated">
      <h2 id="tolerated-title">Loaded leniently</h2>
      <p className="hint">
        The skill is loaded because of <code>policy = "lenient"</code> in config.toml. The policy "standard" refuses it:
      </p>
      <ul>
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </section>
  );
}
