CREATE TABLE "deposit_limits" (
	"user_id" uuid NOT NULL,
	"currency" text NOT NULL,
	"amount" numeric(20, 0),
	"pending_amount" numeric(20, 0),
	"pending_from" timestamp with time zone,
	CONSTRAINT "deposit_limits_user_id_currency_pk" PRIMARY KEY("user_id","currency")
);
--> statement-breakpoint
CREATE TABLE "play_breaks" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "solvency_history" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"lobby_id" uuid NOT NULL,
	"hour" timestamp with time zone,
	"read_at" timestamp with time zone NOT NULL,
	"slot" numeric(20, 0) NOT NULL,
	"pool" numeric(30, 0) NOT NULL,
	"bounties" numeric(30, 0) NOT NULL,
	"spill" numeric(30, 0) NOT NULL,
	"payouts" numeric(30, 0) NOT NULL,
	"gifts" numeric(30, 0) NOT NULL,
	"people" integer NOT NULL,
	"is_covered" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "solvency_now" (
	"lobby_id" uuid PRIMARY KEY NOT NULL,
	"account" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"slot" numeric(20, 0) NOT NULL,
	"pool" numeric(30, 0) NOT NULL,
	"bounties" numeric(30, 0) NOT NULL,
	"spill" numeric(30, 0) NOT NULL,
	"payouts" numeric(30, 0) NOT NULL,
	"gifts" numeric(30, 0) NOT NULL,
	"people" integer NOT NULL,
	"is_covered" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "entries" ADD COLUMN "usd_value" numeric(40, 0);--> statement-breakpoint
ALTER TABLE "deposit_limits" ADD CONSTRAINT "deposit_limits_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "play_breaks" ADD CONSTRAINT "play_breaks_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "solvency_history" ADD CONSTRAINT "solvency_history_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "solvency_now" ADD CONSTRAINT "solvency_now_lobby_id_lobbies_id_fk" FOREIGN KEY ("lobby_id") REFERENCES "public"."lobbies"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "solvency_history_lobby_id_read_at_index" ON "solvency_history" USING btree ("lobby_id","read_at");--> statement-breakpoint
CREATE UNIQUE INDEX "solvency_history_hourly" ON "solvency_history" USING btree ("lobby_id","hour") WHERE "solvency_history"."hour" is not null;--> statement-breakpoint
CREATE INDEX "ledger_accounts_open" ON "ledger_accounts" USING btree ("lobby_id") WHERE "ledger_accounts"."balance" <> 0;--> statement-breakpoint
CREATE TRIGGER solvency_history_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "solvency_history"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
