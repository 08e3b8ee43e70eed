import { Link } from "./router/link.tsx";
import { PageHeader } from "./ui/page-header.tsx";

export function NotFound() {
  return (
    <>
      <PageHeader title="Nothing is here" />
      <div className="page">
        <p>
          This address leads nowhere. <Link to="/">Start a new chat</Link> instead.
        </p>
      </div>
    </>
  );
}
