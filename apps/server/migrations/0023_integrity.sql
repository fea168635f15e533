CREATE TABLE "integrity_cases" (
	"id" uuid PRIMARY KEY NOT NULL,
	"actor" uuid NOT NULL,
	"partner" uuid,
	"state" text NOT NULL,
	"findings" jsonb NOT NULL,
	"p_value" double precision NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"decision" jsonb,
	"reason" text,
	"appealed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "integrity_evidence" (
	"match_id" uuid NOT NULL,
	"actor" uuid NOT NULL,
	"partner" uuid NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"sums" jsonb NOT NULL,
	"is_settled" boolean DEFAULT false NOT NULL,
	CONSTRAINT "integrity_evidence_match_id_actor_partner_pk" PRIMARY KEY("match_id","actor","partner")
);
--> statement-breakpoint
CREATE TABLE "integrity_lobby_rules" (
	"lobby_id" uuid PRIMARY KEY NOT NULL,
	"accounts_per_address" integer,
	"min_account_days" integer,
	"min_free_games" integer,
	"first_payout_hours" integer,
	"first_payout_multiple" integer
);
--> statement-breakpoint
CREATE TABLE "integrity_readings" (
	"match_id" uuid PRIMARY KEY NOT NULL,
	"read_at" timestamp with time zone NOT NULL,
	"problem" text
);
--> statement-breakpoint
CREATE TABLE "integrity_reports" (
	"match_id" uuid NOT NULL,
	"reporter" uuid NOT NULL,
	"reported" uuid NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"outcome" text,
	"decided_at" timestamp with time zone,
	"told_at" timestamp with time zone,
	CONSTRAINT "integrity_reports_match_id_reporter_reported_pk" PRIMARY KEY("match_id","reporter","reported")
);
--> statement-breakpoint
CREATE TABLE "integrity_separations" (
	"one" uuid NOT NULL,
	"two" uuid NOT NULL,
	"case_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "integrity_separations_one_two_pk" PRIMARY KEY("one","two")
);
--> statement-breakpoint
CREATE TABLE "integrity_warnings" (
	"case_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone,
	CONSTRAINT "integrity_warnings_case_id_user_id_pk" PRIMARY KEY("case_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "integrity_cases" ADD CONSTRAINT "integrity_cases_actor_users_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_cases" ADD CONSTRAINT "integrity_cases_partner_users_id_fk" FOREIGN KEY ("partner") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_evidence" ADD CONSTRAINT "integrity_evidence_match_id_integrity_readings_match_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."integrity_readings"("match_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_evidence" ADD CONSTRAINT "integrity_evidence_actor_users_id_fk" FOREIGN KEY ("actor") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_evidence" ADD CONSTRAINT "integrity_evidence_partner_users_id_fk" FOREIGN KEY ("partner") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_readings" ADD CONSTRAINT "integrity_readings_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_reports" ADD CONSTRAINT "integrity_reports_match_id_matches_id_fk" FOREIGN KEY ("match_id") REFERENCES "public"."matches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_reports" ADD CONSTRAINT "integrity_reports_reporter_users_id_fk" FOREIGN KEY ("reporter") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_reports" ADD CONSTRAINT "integrity_reports_reported_users_id_fk" FOREIGN KEY ("reported") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_separations" ADD CONSTRAINT "integrity_separations_one_users_id_fk" FOREIGN KEY ("one") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_separations" ADD CONSTRAINT "integrity_separations_two_users_id_fk" FOREIGN KEY ("two") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_separations" ADD CONSTRAINT "integrity_separations_case_id_integrity_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."integrity_cases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_warnings" ADD CONSTRAINT "integrity_warnings_case_id_integrity_cases_id_fk" FOREIGN KEY ("case_id") REFERENCES "public"."integrity_cases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "integrity_warnings" ADD CONSTRAINT "integrity_warnings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "integrity_cases_one_open" ON "integrity_cases" USING btree ("actor",coalesce("partner", "actor")) WHERE "integrity_cases"."state" = 'open';--> statement-breakpoint
CREATE INDEX "integrity_cases_state_opened_at_index" ON "integrity_cases" USING btree ("state","opened_at");--> statement-breakpoint
CREATE INDEX "integrity_cases_decided_at_index" ON "integrity_cases" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "integrity_evidence_actor_partner_index" ON "integrity_evidence" USING btree ("actor","partner");--> statement-breakpoint
CREATE INDEX "integrity_evidence_counting" ON "integrity_evidence" USING btree ("read_at") WHERE not "integrity_evidence"."is_settled";--> statement-breakpoint
CREATE INDEX "integrity_reports_reported_outcome_index" ON "integrity_reports" USING btree ("reported","outcome");--> statement-breakpoint
CREATE INDEX "integrity_reports_reporter_created_at_index" ON "integrity_reports" USING btree ("reporter","created_at");--> statement-breakpoint
CREATE INDEX "integrity_separations_two_index" ON "integrity_separations" USING btree ("two");--> statement-breakpoint
CREATE INDEX "integrity_warnings_user_id_index" ON "integrity_warnings" USING btree ("user_id");